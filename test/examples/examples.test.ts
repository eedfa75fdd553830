import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { makePlace } from "../support/exec.js";
import { both, calls, says } from "../support/model.js";

test("the engine runs inside a program of fifteen lines", async () => {
  await using place = await makePlace([
    calls("exec_command", { cmd: "echo hi" }),
    says("Two files."),
  ]);

  const { stdout, stderr, code } = await place.run("examples/embed.mjs", ["What is here?"]);

  expect({ stdout, code }).toEqual({ stdout: "Two files.\n", code: 0 });
  expect(stderr).toMatch(/^\$ .*echo hi/);
});

test("code approves what it allows and denies the rest", async () => {
  const asks = (cmd: string, id: string) => calls("exec_command", { cmd }, id);
  await using place = await makePlace([
    both(asks("mkdir made", "c1"), asks("rm -r made", "c2")),
    says("Did what I could."),
  ]);

  const { stdout, stderr, code } = await place.run("examples/approve-by-policy.mjs", []);

  expect({ stdout, code }).toEqual({ stdout: "Did what I could.\n", code: 0 });
  expect(stderr).toMatch(/approved: .*mkdir made/);
  expect(stderr).toMatch(/denied: .*rm -r made/);
  expect(existsSync(join(place.workspace, "made"))).toBe(true);
});

test("a tool of the program is called by the model", async () => {
  await using place = await makePlace([calls("stock_of", { sku: "SKU-1" }), says("Twelve.")]);

  const { stdout, stderr, code } = await place.run("examples/own-tool.mjs", []);

  expect({ stdout, stderr, code }).toEqual({
    stdout: "Twelve.\n",
    stderr: "stock_of said 12\n",
    code: 0,
  });
  expect(JSON.stringify(place.model.requests[0])).toContain("How many pieces");
  expect(JSON.stringify(place.model.requests[1])).toContain('"12"');
});

test("many threads run at once in one process", async () => {
  const answer = says('{"translation":"Obst"}');
  await using place = await makePlace([answer, answer, answer]);

  const { stdout, code } = await place.run("examples/many-threads.mjs", ["a", "b", "c"]);

  expect({ stdout, code }).toEqual({ stdout: "a: Obst\nb: Obst\nc: Obst\n", code: 0 });
});

test("a client reaches a server over a Unix socket", async () => {
  await using place = await makePlace([says("Hello.", "Hel", "lo.")]);
  const url = `unix://${join(place.home, "s")}`;
  await place.start("quire", ["app-server", "--listen", url]).until("listening on");

  const { stdout, stderr, code } = await place.run("examples/unix-socket-client.mjs", [url, "hi"]);

  expect({ stdout, code }).toEqual({ stdout: "Hello.\n", code: 0 });
  expect(stderr).toMatch(/^[0-9a-f-]{36}: completed\n$/);
});

test("a client made from the .proto alone reaches a server over gRPC", async () => {
  await using place = await makePlace([says("Hello.")]);
  const server = place.start("quire", ["app-server", "--listen", "grpc://127.0.0.1:0"]);
  await server.until(/listening on \S+\n/);
  const [, address = ""] = /grpc:\/\/(\S+)/.exec(server.stderr()) ?? [];

  const { stdout, stderr, code } = await place.run("examples/grpc-client.mjs", [address, "hi"]);

  expect({ stdout, code }).toEqual({ stdout: "Hello.\n", code: 0 });
  expect(stderr).toMatch(/^[0-9a-f-]{36}: completed\n$/);
});

test("every example is tested here", async () => {
  const folder = resolve(import.meta.dirname, "../../examples");
  const files = (await readdir(folder)).filter((name) => name.endsWith(".mjs"));

  expect(files.sort()).toEqual([
    "approve-by-policy.mjs",
    "embed.mjs",
    "grpc-client.mjs",
    "many-threads.mjs",
    "own-tool.mjs",
    "unix-socket-client.mjs",
  ]);
});
