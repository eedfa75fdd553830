import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { initialize, startAppServer } from "../../support/app-server.js";

const profile = `[permissions.tight]
extends = ":workspace"
[permissions.tight.filesystem]
":workspace_roots" = { "private" = "deny", "**/*.key" = "deny", "later.txt" = "deny" }
`;

/** Starts a server whose settings, or only a thread, deny some files. */
async function start({ byThread = false } = {}) {
  const server = await startAppServer({ config: { sandbox_mode: undefined } });
  const selected = byThread ? ":workspace" : "tight";
  const text = `default_permissions = "${selected}"\n${profile}`;
  await writeFile(join(server.home, "config.toml"), text);
  const at = (path: string) => join(server.workspace, path);
  await mkdir(at("private"));
  await mkdir(at("keys"));
  const files = { "private/note.txt": "hush", "keys/a.key": "hush", "open.txt": "fine" };
  for (const [path, content] of Object.entries(files)) await writeFile(at(path), content);
  const client = server.connect();
  await initialize(client, { experimentalApi: true });
  if (byThread) await client.call("thread/start", { permissions: "tight" });
  return { server, client, at };
}

test.each([false, true])(
  "files that are denied are denied to fs methods (by a thread: %s)",
  async (byThread) => {
    const { server, client, at } = await start({ byThread });
    await using _ = server;
    const dataBase64 = Buffer.from("x").toString("base64");

    const attempts: [string, object][] = [
      ["fs/readFile", { path: at("private/note.txt") }],
      ["fs/readFile", { path: at("keys/a.key") }],
      ["fs/getMetadata", { path: at("private/note.txt") }],
      ["fs/readDirectory", { path: at("private") }],
      ["fs/writeFile", { path: at("later.txt"), dataBase64 }],
      ["fs/writeFile", { path: at("new.key"), dataBase64 }],
      ["fs/createDirectory", { path: at("private/more") }],
      ["fs/remove", { path: at("keys/a.key") }],
      ["fs/remove", { path: at("keys") }],
      ["fs/copy", { sourcePath: at("private/note.txt"), destinationPath: at("copy.txt") }],
      ["fs/copy", { sourcePath: at("keys"), destinationPath: at("copy"), recursive: true }],
      ["fs/copy", { sourcePath: at("open.txt"), destinationPath: at("open.key") }],
      ["fs/watch", { watchId: "w", path: at("private") }],
    ];

    for (const [method, params] of attempts) {
      await expect(client.call(method, params), method).rejects.toThrow("Permission denied");
    }
    expect(await readFile(at("keys/a.key"), "utf8")).toBe("hush");
    expect(
      (await readdir(server.workspace)).filter((name) => /copy|later|new|open\.key/.test(name)),
    ).toEqual([]);
    await client.call("fs/copy", { sourcePath: at("open.txt"), destinationPath: at("other.txt") });
  },
);

test("files that are denied are not found", async () => {
  const { server, client } = await start();
  await using _ = server;

  const search = async (query: string) =>
    (await client.call("fuzzyFileSearch", { query, roots: [server.workspace] })) as {
      files: { path: string }[];
    };

  const found = await Promise.all(["note", "key", "open"].map(search));

  expect(found.map(({ files }) => files.map(({ path }) => path))).toEqual([
    [],
    ["keys"],
    ["open.txt"],
  ]);
});

test.each([false, true])(
  "files that are denied are denied to commands of clients, in any folder (by a thread: %s)",
  async (byThread) => {
    const { server, client, at } = await start({ byThread });
    await using _ = server;
    const command = ["cat", at("private/note.txt"), at("keys/a.key")];
    const sandboxPolicy = { type: "dangerFullAccess" };
    const cwd = server.home;

    await client.call("process/spawn", { command, processHandle: "p", cwd });
    const outcomes = [
      (await client.until("process/exited")).params,
      await client.call("command/exec", { command, cwd }),
      await client.call("command/exec", { command, cwd, sandboxPolicy }),
      await client.call("execOneOffCommand", { command, cwd, sandboxPolicy: fullAccess }),
    ];

    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ exitCode: 1, stdout: "" });
      expect(JSON.stringify(outcome).match(/Permission denied/g)).toHaveLength(2);
    }
  },
);

const fullAccess = { mode: "danger-full-access" };

test("a profile that is selected for a command lifts what another denies", async () => {
  const { server, client, at } = await start();
  await using _ = server;

  const command = ["cat", at("private/note.txt")];
  const permissionProfile = ":danger-full-access";
  const outcome = await client.call("command/exec", { command, permissionProfile });

  expect(outcome).toMatchObject({ exitCode: 0, stdout: "hush" });
});
