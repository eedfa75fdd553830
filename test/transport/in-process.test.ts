import { describe } from "vitest";
import { linkedChannels } from "../../src/transport/index.js";
import { channelContract } from "./contract.js";

describe("in-process", () => {
  channelContract(async () => {
    const [near, far] = linkedChannels();
    return {
      near,
      far,
      async [Symbol.asyncDispose]() {
        await near.close();
      },
    };
  });
});
