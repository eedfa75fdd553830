import { MessageChannel } from "node:worker_threads";
import { describe } from "vitest";
import { workerChannel } from "../../src/transport/index.js";
import { channelContract } from "./contract.js";

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
});
