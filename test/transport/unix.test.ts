import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { connect as connectSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connect, listen } from "../../src/transport/index.js";
import { take } from "./contract.js";
import { startTestServer, type TestServer } from "./server.js";

test("the socket and the folders made for it belong to their owner alone", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "a/b/s.sock");
  await using _server = await startTestServer(`unix://${path}`);

  const modes = await Promise.all(
    [path, join(folder.path, "a/b"), join(folder.path, "a")].map(async (name) => {
      return ((await stat(name)).mode & 0o777).toString(8);
    }),
  );

  expect(modes).toEqual(["600", "700", "700"]);
});

test("a socket that a dead server left behind is replaced", async () => {
  await using folder = await temporaryFolder();
  const path = await leaveSocket(folder.path);

  await using server = await startTestServer(`unix://${path}`);
  const channel = await connect(server.url);
  channel.send({ say: "hello" });

  expect(await take(await server.accepted(), 1)).toEqual([{ say: "hello" }]);
});

test("of servers that start together at a dead socket one gets it", async () => {
  await using folder = await temporaryFolder();
  const path = await leaveSocket(folder.path);

  const outcomes = await Promise.allSettled(
    Array.from({ length: 6 }, () => startTestServer(`unix://${path}`)),
  );

  const started = outcomes.flatMap((outcome) => ("value" in outcome ? [outcome.value] : []));
  const refused = outcomes.flatMap((outcome) => ("reason" in outcome ? [outcome.reason.code] : []));
  expect(refused).toEqual(Array.from({ length: 5 }, () => "in_use"));
  const channel = await connect(`unix://${path}`);
  channel.send({ say: "hello" });
  const accepted = await (started[0] as TestServer).accepted();
  expect(await take(accepted, 1)).toEqual([{ say: "hello" }]);
  expect(await readdir(folder.path)).toEqual(["s.sock"]);
  await started[0]?.listener.close();
});

test("a socket at which a server answers is left to it", async () => {
  await using server = await startTestServer("unix://");

  const second = listen(server.url, { onConnection() {} });

  await expect(second).rejects.toMatchObject({
    code: "in_use",
    message: expect.stringContaining("Another server answers at "),
  });
  await expect(connect(server.url)).resolves.toBeDefined();
});

test("a file that is no socket is never removed", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "precious.txt");
  await writeFile(path, "keep me");

  await expect(listen(`unix://${path}`, { onConnection() {} })).rejects.toMatchObject({
    code: "in_use",
    message: `${path} exists and is not a socket; choose another path`,
  });

  expect(await readFile(path, "utf8")).toBe("keep me");
});

test("closing the listener removes the socket", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "s.sock");
  const listener = await listen(`unix://${path}`, { onConnection() {} });

  await listener.close();

  await expect(stat(path)).rejects.toThrow("ENOENT");
  await expect(connect(`unix://${path}`)).rejects.toMatchObject({
    code: "unreachable",
    message: `Cannot connect to unix://${path}: there is no such socket`,
  });
});

test("one socket serves lines and WebSocket", async () => {
  await using server = await startTestServer("unix://");
  const lines = await connect(server.url);
  const linesFar = await server.accepted();
  const frames = await connect(server.url.replace("unix://", "ws+unix://"));
  const framesFar = await server.accepted();

  lines.send({ by: "line" });
  frames.send("by frame");

  expect(await take(linesFar, 1)).toEqual([{ by: "line" }]);
  expect(await take(framesFar, 1)).toEqual(["by frame"]);
});

test("a client that waits in silence for the server to begin speaks lines", async () => {
  await using server = await startTestServer("unix://");
  const socket = connectSocket(server.url.slice("unix://".length));

  (await server.accepted()).send({ type: "session_configured" });

  const [first] = await once(socket, "data");
  expect(String(first)).toBe('{"type":"session_configured"}\n');
  socket.destroy();
});

/** Kills a server so that its socket stays behind. */
async function leaveSocket(folder: string): Promise<string> {
  const path = join(folder, "s.sock");
  const die = `() => process.kill(process.pid, "SIGKILL")`;
  const code = `require("net").createServer().listen(${JSON.stringify(path)}, ${die})`;
  await once(spawn(process.execPath, ["-e", code]), "exit");
  expect((await stat(path)).isSocket()).toBe(true);
  return path;
}

async function temporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), "quire-unix-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
