import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ipcChannel, listen } from "../../src/transport/index.js";
import { bundleProgram } from "../support/bundle-program.js";
import { channelContract, readAll, take } from "./contract.js";
import { startTestServer } from "./server.js";

let folder: string;
let relay: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "quire-ipc-"));
  relay = await bundleProgram(join(import.meta.dirname, "ipc-relay.ts"), folder);
});

afterAll(() => rm(folder, { recursive: true }));

describe("[documents 6] ipc", () => {
  channelContract(async () => {
    const server = await startTestServer("h2://127.0.0.1:0");
    const child = fork(relay, [server.url]);
    const near = ipcChannel(child);
    const far = await server.accepted();
    return {
      near,
      far,
      async [Symbol.asyncDispose]() {
        near.destroy();
        child.kill("SIGKILL");
        await server[Symbol.asyncDispose]();
      },
    };
  });
});

test("[documents 6] a parent needs nothing but send and message events", async () => {
  const server = await startTestServer("h2://127.0.0.1:0");
  const child = fork(relay, [server.url]);
  const far = await server.accepted();
  const received: unknown[] = [];
  child.on("message", (message) => received.push(message));

  child.send({ id: 1, method: "initialize" });
  expect(await take(far, 1)).toEqual([{ id: 1, method: "initialize" }]);
  far.send({ id: 1, result: {} });
  await once(child, "message");
  child.disconnect();

  expect(await readAll(far)).toEqual([]);
  expect(received).toEqual([{ id: 1, result: {} }]);
  await far.close();
  await server[Symbol.asyncDispose]();
});

test("[documents 6] a server without this library can use the channel", async () => {
  const program = join(folder, "echo.mjs");
  await writeFile(
    program,
    `process.on("message", (message) => {
      if (message.$quire) return;
      if (message === "bye") return process.disconnect();
      process.send({ received: message });
    });`,
  );
  const channel = ipcChannel(fork(program));

  channel.send("one");
  channel.sendText('{"two":2}');
  expect(await take(channel, 2)).toEqual([{ received: "one" }, { received: { two: 2 } }]);
  channel.send("bye");

  expect(await readAll(channel)).toEqual([]);
  expect(channel.isOpen).toBe(false);
});

test("[documents 6] a process that was not forked cannot listen on ipc://", async () => {
  const alone = { connected: false, on: () => undefined, off: () => undefined };

  await expect(listen("ipc://", { ipc: alone, onConnection() {} })).rejects.toMatchObject({
    code: "bad_url",
    message: "ipc:// needs a parent that started this process with child_process.fork",
  });
});
