import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { initialize, startAppServer } from "../../support/app-server.js";
import type { TestClient } from "../../support/server.js";

async function start(options: Parameters<typeof startAppServer>[0] = {}) {
  const server = await startAppServer(options);
  const client = server.connect();
  await initialize(client);
  const exec = (command: string[], rest: object = {}) =>
    client.call("command/exec", { command, ...rest });
  const dispose = () => server[Symbol.asyncDispose]();
  return { server, client, exec, [Symbol.asyncDispose]: dispose };
}

const base64 = (text: string) => Buffer.from(text).toString("base64");

/** Returns the streamed output of a command, by stream. */
function told(client: TestClient, id: string): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const { method, params } of client.heard) {
    const { processId, stream, deltaBase64 } = params as Record<string, string>;
    if (method !== "command/exec/outputDelta" || processId !== id) continue;
    texts[stream ?? ""] = `${texts[stream ?? ""] ?? ""}${Buffer.from(deltaBase64 ?? "", "base64")}`;
  }
  return texts;
}

test("a command returns its exit code and both streams", async () => {
  await using scene = await start();
  const { exec, server } = scene;

  expect(await exec(["bash", "-c", "echo out; echo err >&2; pwd; exit 4"])).toEqual({
    exitCode: 4,
    stdout: `out\n${server.workspace}\n`,
    stderr: "err\n",
  });
  expect(await exec(["bash", "-c", "kill -9 $$"])).toMatchObject({ exitCode: 137 });
  expect(await exec(["sleep", "10"], { timeoutMs: 50 })).toMatchObject({ exitCode: 124 });
  expect(
    await exec(["bash", "-c", 'echo "$ONE:$HOME"'], { env: { ONE: "1", HOME: null } }),
  ).toMatchObject({ stdout: "1:\n" });
  await expect(exec(["no-such-program-xyz"])).rejects.toMatchObject({
    code: -32603,
    message: "failed to spawn command: No such file or directory (os error 2)",
  });
});

test("an older client gets errors for time-outs and signals", async () => {
  await using scene = await start({ era: "0.104" });
  const { exec } = scene;

  await expect(exec(["sleep", "10"], { timeoutMs: 50 })).rejects.toMatchObject({
    code: -32603,
    message: "exec failed: sandbox error: command timed out",
  });
  await expect(exec(["no-such-program-xyz"])).rejects.toThrow(
    "exec failed: No such file or directory (os error 2)",
  );
});

test("output above the cap is dropped", async () => {
  await using scene = await start();
  const { exec, client } = scene;
  const flood = ["bash", "-c", "head -c 5000000 /dev/zero | tr '\\0' a; echo ab >&2"];
  const stream = { processId: "p", streamStdoutStderr: true };

  expect(await exec(flood, { outputBytesCap: 3 })).toMatchObject({ stdout: "aaa", stderr: "ab\n" });
  const { stdout } = (await exec(flood)) as { stdout: string };
  expect(stdout.length).toBe(1024 * 1024);
  expect(await exec(flood, { ...stream, outputBytesCap: 5 })).toEqual({
    exitCode: 0,
    stdout: "",
    stderr: "",
  });

  expect(told(client, "p")).toEqual({ stdout: "aaaaa", stderr: "ab\n" });
  expect(
    client.heard.map(({ params }) => (params as { capReached: boolean }).capReached).sort(),
  ).toEqual([false, true]);
});

test("a command can be written to while it runs, until its input is closed", async () => {
  await using scene = await start();
  const { exec, client } = scene;
  const write = (params: object) =>
    client.call("command/exec/write", { processId: "p", ...params });
  const done = exec(["cat"], { processId: "p", streamStdin: true, streamStdoutStderr: true });

  await untilStarted(client, "p");
  await write({ deltaBase64: base64("hi\n") });
  await client.until("command/exec/outputDelta");
  await expect(exec(["true"], { processId: "p" })).rejects.toThrow(
    'duplicate active command/exec process id: "p"',
  );
  await expect(write({})).rejects.toThrow("requires deltaBase64 or closeStdin");
  await expect(write({ deltaBase64: "!!" })).rejects.toThrow("invalid deltaBase64");
  await write({ deltaBase64: base64("bye\n"), closeStdin: true });

  expect(await done).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  expect(told(client, "p")).toEqual({ stdout: "hi\nbye\n" });
  await expect(write({ closeStdin: true })).rejects.toThrow(
    'no active command/exec for process id "p"',
  );
});

test("a terminal has the requested size and can be resized", async () => {
  await using scene = await start();
  const { exec, client } = scene;
  const done = exec(["bash", "-c", "stty size; read x; stty size; echo got $x"], {
    processId: "t",
    tty: true,
    size: { rows: 11, cols: 44 },
  });

  await client.until("command/exec/outputDelta");
  await client.call("command/exec/resize", { processId: "t", size: { rows: 12, cols: 45 } });
  await client.call("command/exec/write", { processId: "t", deltaBase64: base64("hi\n") });

  expect(await done).toMatchObject({ exitCode: 0 });
  expect(told(client, "t").stdout).toBe("11 44\r\nhi\r\n12 45\r\ngot hi\r\n");
});

test("a command can be terminated, and ends with its connection", async () => {
  await using scene = await start();
  const { exec, client, server } = scene;
  const mark = join(server.workspace, "ended");
  const trapped = ["bash", "-c", `trap 'touch ${mark}; exit' TERM; echo on; sleep 60 & wait`];
  const stream = { streamStdoutStderr: true, disableTimeout: true };
  const one = exec(["sleep", "60"], { processId: "a" });
  await untilStarted(client, "a");

  await client.call("command/exec/terminate", { processId: "a" });
  expect(await one).toMatchObject({ exitCode: 137 });
  void exec(trapped, { processId: "b", ...stream }).catch(() => undefined);
  await client.until("command/exec/outputDelta");
  await client.close();

  await expect.poll(() => existsSync(mark)).toBe(true);
});

test("a command runs under the requested policy", async () => {
  await using scene = await start();
  const { exec, server } = scene;
  const file = join(server.workspace, "new");

  const result = await exec(["touch", file], { sandboxPolicy: { type: "readOnly" } });

  expect(result).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/Read-only|denied/) });
  expect(existsSync(file)).toBe(false);
});

test("without a policy a command runs under that of the settings (SRV-15)", async () => {
  await using scene = await start({ config: { sandbox_mode: "read-only" } });
  const { exec, server } = scene;
  const file = join(server.workspace, "new");

  expect(await exec(["touch", file])).toMatchObject({ exitCode: 1 });
  expect(existsSync(file)).toBe(false);
});

test.each([
  [{ command: [] }, -32600, "command must not be empty"],
  [{ tty: true }, -32600, "command/exec tty or streaming requires a client-supplied processId"],
  [
    { outputBytesCap: 1, disableOutputCap: true },
    -32602,
    "command/exec cannot set both outputBytesCap and disableOutputCap",
  ],
  [
    { timeoutMs: 1, disableTimeout: true },
    -32602,
    "command/exec cannot set both timeoutMs and disableTimeout",
  ],
  [{ timeoutMs: -3 }, -32602, "command/exec timeoutMs must be non-negative, got -3"],
  [{ size: { rows: 1, cols: 1 } }, -32602, "command/exec size requires tty: true"],
])("%j is rejected", async (params, code, message) => {
  await using scene = await start();

  await expect(scene.exec(["true"], params)).rejects.toMatchObject({ code, message });
});

test("input and resizing are rejected for commands started without them", async () => {
  await using scene = await start();
  const { exec, client } = scene;
  const done = exec(["sleep", "60"], { processId: "p" });
  await untilStarted(client, "p");

  await expect(
    client.call("command/exec/write", { processId: "p", deltaBase64: "" }),
  ).rejects.toThrow("stdin streaming is not enabled for this command/exec");
  await expect(
    client.call("command/exec/resize", { processId: "p", size: { rows: 1, cols: 1 } }),
  ).rejects.toThrow("failed to resize PTY: process is not attached to a PTY");
  await client.call("command/exec/terminate", { processId: "p" });
  await done;
});

/** Waits until a command that is being started accepts input. */
async function untilStarted(client: TestClient, processId: string): Promise<void> {
  for (;;) {
    const problem = await client
      .call("command/exec/write", { processId, deltaBase64: "" })
      .then(() => undefined)
      .catch((error: Error) => error.message);
    if (!problem?.startsWith("no active")) return;
    await sleep(5);
  }
}
