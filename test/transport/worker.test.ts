import { once } from "node:events";
import { MessageChannel, Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import { Malformed, workerChannel } from "../../src/transport/index.js";
import { channelContract, readAll, take } from "./contract.js";

describe("worker", () => {
  channelContract(async () => {
    const { port1, port2 } = new MessageChannel();
    const near = workerChannel(port1);
    const far = workerChannel(port2);
    return {
      near,
      far,
      async [Symbol.asyncDispose]() {
        near.destroy();
        far.destroy();
      },
    };
  });

  test("a worker without this library can use the channel", async () => {
    const { port1, port2 } = new MessageChannel();
    const code = `
      const { workerData: port } = require("node:worker_threads");
      port.on("message", (post) => {
        if (post.end) return port.close();
        if (!post.messages) return;
        port.postMessage({ messages: post.messages.map((received) => ({ received })), bytes: 10 });
        port.postMessage({ read: post.bytes });
      });`;
    const options = { eval: true, workerData: port2, transferList: [port2] };
    const exited = once(new Worker(code, options), "exit");
    const channel = workerChannel(port1);

    channel.send("one");
    channel.sendText('{"two":2}');
    expect(await take(channel, 2)).toEqual([{ received: "one" }, { received: { two: 2 } }]);
    channel.end();

    expect(await readAll(channel)).toEqual([]);
    await exited;
  });

  test("a worker that ends ends the stream", async () => {
    const { port1, port2 } = new MessageChannel();
    const code = `require("node:worker_threads").workerData.postMessage({ messages: [1], bytes: 1 })`;
    new Worker(code, { eval: true, workerData: port2, transferList: [port2] });

    const channel = workerChannel(port1);

    expect(await readAll(channel)).toEqual([1]);
    expect(channel.isOpen).toBe(false);
  });

  test.each([[null], ["text"], [{}], [{ messages: 5 }], [{ read: "x" }]])(
    "%j is no post of a channel",
    async (post) => {
      const { port1, port2 } = new MessageChannel();
      const channel = workerChannel(port1);

      port2.postMessage(post);

      expect((await take(channel, 1))[0]).toBeInstanceOf(Malformed);
      channel.destroy();
    },
  );
});
