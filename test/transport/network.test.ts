import { describe } from "vitest";
import { channelContract } from "./contract.js";
import { connectPair } from "./server.js";

const addresses = ["tcp", "h2", "grpc"].map((scheme) => `${scheme}://127.0.0.1:0`);

describe.each([...addresses, "unix://"])("%s", (url) => {
  channelContract(() => connectPair(url));
});

describe.each(["ws://127.0.0.1:0", "ws+unix://"])("%s", (url) => {
  channelContract(() => connectPair(url), { noHalfClose: true });
});
