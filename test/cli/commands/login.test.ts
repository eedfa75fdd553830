import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startIssuer } from "../../support/issuer.js";
import { createUser } from "../support/run-quire.js";
import { spawnQuire } from "../support/spawn-quire.js";

const key = "sk-test-1234567890abcdef";

describe("quire login", () => {
  test("keeps a key from standard input where only the user can read it", async () => {
    using user = createUser();

    const before = await user.run(["login", "status"]);
    const login = await user.run(["login", "--with-api-key"], { input: `${key}\n` });
    const after = await user.run(["login", "status"]);
    const json = await user.run(["login", "status", "--json"]);

    expect(before).toEqual({ code: 1, stdout: "", stderr: "Not logged in\n" });
    expect(login).toMatchObject({ code: 0, stdout: "" });
    expect(after.stderr).toBe("Logged in using an API key - sk-test-***bcdef\n");
    expect(JSON.parse(json.stdout)).toEqual({ method: "apikey", shownKey: "sk-test-***bcdef" });
    const file = join(user.home, "auth.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ OPENAI_API_KEY: key });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(
      [login, after, json].some(({ stdout, stderr }) => `${stdout}${stderr}`.includes(key)),
    ).toBe(false);
  });

  test("logout deletes it, and reports a missing login", async () => {
    using user = createUser();
    await user.run(["login", "--with-api-key"], { input: key });

    expect((await user.run(["logout"])).stderr).toBe("Successfully logged out\n");
    expect((await user.run(["logout"])).stderr).toBe("Not logged in\n");
  });

  test.each([
    [["login", "--api-key", key], "", 2, "quire login --with-api-key"],
    [["login", "--with-api-key"], "", 1, "The API key is empty"],
    [["login", "--with-api-key"], "two words", 1, "copy it again"],
    [["login", "--with-api-key", "--device-auth"], key, 2, "cannot be used together"],
    [["login", "-c", "forced_login_method=chatgpt", "--with-api-key"], key, 3, "quire login"],
    [["login", "stauts"], "", 2, "Did you mean `quire login status`?"],
  ])("%j with %j ends with a word on what to do", async (args, input, code, words) => {
    using user = createUser();

    const ran = await user.run(args, { input });

    expect(ran.code).toBe(code);
    expect(ran.stderr).toContain(words);
    expect(ran.stderr).not.toContain("    at ");
    expect((await user.run(["login", "status"])).code).toBe(1);
  });

  test("takes no key that is longer than any key", async () => {
    using user = createUser();

    const ran = await user.run(["login", "--with-api-key"], { input: "x".repeat(100_000) });

    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("more than 65536 bytes"),
    });
  });

  test("signs in on another device by a code", async () => {
    using user = createUser();
    await using fake = await startIssuer();
    const env = { CODEX_APP_SERVER_LOGIN_ISSUER: fake.issuer.url };

    const login = await user.run(["login", "--device-auth"], { env });

    expect(login).toMatchObject({ code: 0, stdout: "" });
    expect(login.stderr).toContain(`${fake.issuer.url}/codex/device`);
    expect((await user.run(["login", "status"])).stderr).toContain("Logged in using ChatGPT");
  });

  test("ends at once when the user gives up", async () => {
    using user = createUser();
    await using fake = await startIssuer();
    fake.pendingPolls = Number.POSITIVE_INFINITY;

    await using login = spawnQuire(user, ["login", "--device-auth"], {
      CODEX_APP_SERVER_LOGIN_ISSUER: fake.issuer.url,
    });
    await login.untilError(/Enter this code/);
    login.child.kill("SIGINT");

    expect(await login.exit).toBe(130);
    expect((await user.run(["login", "status"])).code).toBe(1);
  });
});
