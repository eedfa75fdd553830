import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { initialize, startAppServer } from "./conversation.js";

test("a command runs under the requested policy", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);
  const command = ["touch", join(server.workspace, "x.txt")];

  const free = await client.call("execOneOffCommand", { command: ["echo", "hi"] });
  const confined = await client.call("execOneOffCommand", {
    command,
    sandboxPolicy: { mode: "read-only" },
  });

  expect(free).toEqual({ exitCode: 0, stdout: "hi\n", stderr: "" });
  expect(confined).toMatchObject({ exitCode: 1 });
  expect(existsSync(join(server.workspace, "x.txt"))).toBe(false);
});

test.each([
  [{ command: [] }, -32600, "command must not be empty"],
  [{ command: ["sleep", "10"], timeoutMs: 50 }, -32603, /command timed out/],
  [{ command: ["no-such-program-xyz"] }, -32603, /No such file or directory/],
])("%j is rejected with the reason", async (params, code, message) => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);

  const answer = client.call("execOneOffCommand", params);

  await expect(answer).rejects.toMatchObject({ code });
  await expect(answer).rejects.toThrow(message);
});

test("a default model is saved in the user's file and shown from there", async () => {
  await using server = await startAppServer();
  await writeFile(join(server.home, "config.toml"), '# mine\nmodel = "gpt-5"\n');
  const client = server.connect();
  await initialize(client);

  await client.call("setDefaultModel", { model: "gpt-5-codex", reasoningEffort: null });

  const text = await readFile(join(server.home, "config.toml"), "utf8");
  expect(text).toBe('# mine\nmodel = "gpt-5-codex"\n');
  expect(await client.call("getUserSavedConfig")).toEqual({
    config: { model: "gpt-5-codex", profiles: {} },
  });
});

test("a folder without a remote has no remote diff", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);

  const answer = client.call("gitDiffToRemote", { cwd: server.workspace });

  await expect(answer).rejects.toThrow(/failed to compute git diff to remote/);
});
