import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { serveAppServer } from "../../../src/server/app-server.js";
import { listen } from "../../../src/transport/index.js";
import { begin, say, startAppServer } from "../methods/thread.js";

const pieces = Array.from({ length: 8000 }, (_, index) => `${index} `.padEnd(100, "."));

test("a slow reader receives merged deltas and does not delay other clients", async () => {
  const model = [[{ message: pieces.join(""), deltas: pieces }]];
  await using server = await startAppServer({ model });
  const quick = server.connect();
  const threadId = await begin(quick);
  const listener = await listen(`unix://${join(server.workspace, "s")}`, {
    onConnection: (channel) => void serveAppServer(channel, server.server),
  });
  const socket = connect(join(server.workspace, "s"));
  const send = (message: object) => socket.write(`${JSON.stringify(message)}\n`);
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  send({ id: 0, method: "initialize", params: { clientInfo: { name: "slow", version: "1" } } });
  send({ id: 1, method: "thread/resume", params: { threadId } });
  while (JSON.parse((await lines.next()).value).id !== 1);
  socket.pause();

  await say(quick, threadId, "go");
  await quick.until("turn/completed");
  socket.resume();
  const heard: string[] = [];
  for (;;) {
    const { method, params } = JSON.parse((await lines.next()).value);
    if (method === "item/agentMessage/delta") heard.push(params.delta);
    if (method === "turn/completed") break;
  }
  socket.destroy();
  await once(socket, "close");
  await listener.close();

  expect(heard.join("")).toBe(pieces.join(""));
  expect(heard.length).toBeLessThan(pieces.length / 2);
  const all = quick.heard.filter(({ method }) => method === "item/agentMessage/delta");
  expect(all).toHaveLength(pieces.length);
});
