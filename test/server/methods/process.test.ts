import { expect, test } from "vitest";
import { untilGone } from "../../support/processes.js";
import { initialize, startAppServer } from "./thread.js";

async function start(options: Parameters<typeof startAppServer>[0] = {}) {
  const server = await startAppServer(options);
  const client = server.connect();
  await initialize(client, { experimentalApi: true });
  const spawn = (command: string[], rest: object = {}) =>
    client.call("process/spawn", { command, processHandle: "p1", cwd: server.workspace, ...rest });
  const exited = async () => (await client.until("process/exited")).params;
  const dispose = () => server[Symbol.asyncDispose]();
  return { server, client, spawn, exited, [Symbol.asyncDispose]: dispose };
}

const base64 = (text: string) => Buffer.from(text).toString("base64");
const exit = {
  processHandle: "p1",
  exitCode: 0,
  outputDrainTimedOut: false,
  stdout: "",
  stdoutCapReached: false,
  stderr: "",
  stderrCapReached: false,
};

test("a process is answered at once, and its end is notified with its output up to the limit", async () => {
  await using scene = await start();
  const { spawn, exited } = scene;
  const script = "echo $FOO; head -c 100 /dev/zero | tr '\\0' x; echo err >&2";

  const answer = await spawn(["bash", "-c", script], { env: { FOO: "bar" }, outputBytesCap: 20 });
  const first = await exited();
  await spawn(["sleep", "30"], { timeoutMs: 50 });

  expect(answer).toEqual({});
  const stdout = `bar\n${"x".repeat(16)}`;
  expect(first).toEqual({ ...exit, stdout, stdoutCapReached: true, stderr: "err\n" });
  expect(await exited()).toEqual({ ...exit, exitCode: 124 });
});

test("a process with streams takes input until it is closed", async () => {
  await using scene = await start();
  const { client, spawn, exited } = scene;

  await spawn(["cat"], { streamStdin: true, streamStdoutStderr: true });
  const write = (rest: object) =>
    client.call("process/writeStdin", { processHandle: "p1", ...rest });
  await write({ deltaBase64: base64("hello\n") });
  const { params } = await client.until("process/outputDelta");
  await write({ closeStdin: true });

  const deltaBase64 = base64("hello\n");
  expect(params).toEqual({ processHandle: "p1", stream: "stdout", deltaBase64, capReached: false });
  expect(await exited()).toEqual(exit);
  await expect(write({ deltaBase64 })).rejects.toThrow('no active process for process handle "p1"');
});

test("processes end when they are killed, and with their connection", async () => {
  await using scene = await start();
  const { client, spawn, exited } = scene;
  const printed = async () => {
    const { params } = await client.until("process/outputDelta");
    const { deltaBase64 } = params as { deltaBase64: string };
    return Number(Buffer.from(deltaBase64, "base64").toString());
  };
  const endless = ["sh", "-c", "echo $$; exec sleep 600"];

  await spawn(endless, { tty: true, timeoutMs: null });
  const killed = await printed();
  expect(
    await client.call("process/resizePty", { processHandle: "p1", size: { rows: 9, cols: 9 } }),
  ).toEqual({});
  await client.call("process/kill", { processHandle: "p1" });
  const end = await exited();
  await spawn(endless, { streamStdoutStderr: true });
  const left = await printed();
  await client.close();

  expect(end).toMatchObject({ exitCode: 137 });
  await untilGone([killed, left]);
});

test("mistakes are refused with the reason", async () => {
  await using scene = await start();
  const { client, spawn } = scene;
  await spawn(["sleep", "30"]);
  const call = (method: string, params: object) =>
    client.call(`process/${method}`, { processHandle: "p1", ...params }).then(
      () => "accepted",
      ({ code, message }: { code: number; message: string }) => `${code} ${message}`,
    );
  const other = { processHandle: "p2", cwd: scene.server.workspace, command: ["true"] };

  expect(await call("spawn", { ...other, processHandle: "p1" })).toBe(
    '-32600 duplicate active process handle: "p1"',
  );
  expect(await call("kill", { processHandle: "no" })).toBe(
    '-32600 no active process for process handle "no"',
  );
  expect(await call("writeStdin", { deltaBase64: "eA==" })).toBe(
    "-32600 stdin streaming is not enabled for this process",
  );
  expect(await call("writeStdin", { deltaBase64: "***" })).toBe(
    "-32602 invalid deltaBase64: Invalid symbol 42, offset 0.",
  );
  expect(await call("resizePty", { size: { rows: 1, cols: 1 } })).toBe(
    "-32600 failed to resize PTY: process is not attached to a PTY",
  );
  const missing = "-32603 failed to spawn process: No such file or directory (os error 2)";
  expect(await call("spawn", { ...other, command: ["no-such-program-xyz"] })).toBe(missing);
  expect(await call("spawn", { ...other, cwd: "/no/such/folder" })).toBe(missing);
  expect(await call("spawn", { ...other, command: [] })).toBe("-32600 command must not be empty");
  expect(await call("spawn", { ...other, processHandle: "" })).toBe(
    "-32600 processHandle must not be empty",
  );
  expect(await call("spawn", { ...other, cwd: "here" })).toMatch(/absolute path \(got "here"\)/);
});

test("an administrator who requires a sandbox prevents processes without one", async () => {
  await using scene = await start({ requirements: 'allowed_sandbox_modes = ["read-only"]\n' });

  await expect(scene.spawn(["true"])).rejects.toThrow("process/spawn has no sandbox");
});
