import { chmod, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAuthFile, writeAuthText } from "../../src/auth/auth-file.js";
import { fileStore } from "../../src/auth/store.js";
import { chatgptFile, makeHome } from "./home.js";

test("a login is pretty JSON that only its owner can read", async () => {
  await using dir = await makeHome();

  await fileStore(dir.home).write({ OPENAI_API_KEY: "sk-1" });

  expect(await readFile(dir.path, "utf8")).toBe('{\n  "OPENAI_API_KEY": "sk-1"\n}');
  expect(await dir.mode()).toBe(0o600);
  expect(await readdir(dir.home)).toEqual(["auth.json"]);
});

test("a file that others could read is closed to them", async () => {
  await using dir = await makeHome({});
  await chmod(dir.path, 0o644);

  await fileStore(dir.home).write({ OPENAI_API_KEY: "sk-1" });

  expect(await dir.mode()).toBe(0o600);
});

test("a home that is not there yet is made for its owner alone", async () => {
  await using dir = await makeHome();

  await fileStore(join(dir.home, "a/b")).write({ OPENAI_API_KEY: "sk-1" });

  expect(await fileStore(join(dir.home, "a/b")).read()).toEqual({ OPENAI_API_KEY: "sk-1" });
});

test.each(["there", "not there yet"])(
  "a link stays a link when its target is %s",
  async (state) => {
    await using dir = await makeHome();
    const target = join(dir.home, "elsewhere.json");
    if (state === "there") await writeFile(target, "{}");
    await symlink("elsewhere.json", dir.path);

    await fileStore(dir.home).write({ OPENAI_API_KEY: "sk-1" });

    expect(JSON.parse(await readFile(target, "utf8"))).toEqual({ OPENAI_API_KEY: "sk-1" });
    expect((await readdir(dir.home)).sort()).toEqual(["auth.json", "elsewhere.json"]);
  },
);

test.each([
  ["a folder", (path: string) => mkdir(path)],
  ["a device", (path: string) => symlink("/dev/null", path)],
])("%s in the file's place is neither read nor replaced", async (_, make) => {
  await using dir = await makeHome();
  await make(dir.path);

  const store = fileStore(dir.home);

  await expect(store.read()).rejects.toThrow(
    `Could not read ${dir.path}: it is not a regular file`,
  );
  await expect(store.write({})).rejects.toThrow(
    `Could not write ${dir.path}: it is not a regular file`,
  );
  expect(await readdir(dir.home)).toEqual(["auth.json"]);
});

test("without a file the user is signed out", async () => {
  await using dir = await makeHome();

  expect(await fileStore(dir.home).read()).toBeUndefined();
  expect(await fileStore(dir.home).remove()).toBe(false);
});

test("unknown fields are retained", () => {
  const file = {
    ...chatgptFile(),
    tokens: { ...chatgptFile().tokens, later: [1] },
    agent_identity: { a: 1 },
  };

  expect(JSON.parse(writeAuthText(parseAuthFile(JSON.stringify(file), "x")))).toEqual(file);
});

test("any login is read as it was written", () => {
  const text = fc.string();
  const file = fc.record(
    {
      auth_mode: fc.constantFrom("apikey", "chatgpt"),
      OPENAI_API_KEY: fc.option(text),
      tokens: fc.option(
        fc.record({
          id_token: text,
          access_token: text,
          refresh_token: text,
          other: fc.jsonValue(),
        }),
      ),
      last_refresh: text,
    },
    { requiredKeys: ["OPENAI_API_KEY"] },
  );

  fc.assert(
    fc.property(file, (login) => {
      expect(parseAuthFile(writeAuthText(login), "x")).toEqual(JSON.parse(JSON.stringify(login)));
    }),
  );
});

test.each([
  ["sk-secret-but-no-json", "it is not a JSON object"],
  ['["sk-secret"]', "it is not a JSON object"],
  ['{"OPENAI_API_KEY": ["sk-secret"]}', "`OPENAI_API_KEY` is not a string"],
  ['{"OPENAI_API_KEY": null, "tokens": "sk-secret"}', "`tokens` is not an object"],
  ['{"tokens": {"refresh_token": "sk-secret"}}', "`access_token` is not a string"],
  ['{"tokens": {"access_token": "sk-secret", "id_token": 7}}', "`id_token` is not a string"],
])("a broken file is told without what stands in it: %s", async (content, reason) => {
  await using dir = await makeHome();
  await writeFile(dir.path, content);

  const error: Error = await fileStore(dir.home)
    .read()
    .then(
      () => expect.fail("it was read"),
      (caught) => caught,
    );

  expect(error.message).toBe(
    `The login in ${dir.path} cannot be read: ${reason}. Run \`quire logout\` and sign in again.`,
  );
  expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain("sk-secret");
});
