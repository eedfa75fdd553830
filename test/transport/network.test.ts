import { describe } from "vitest";
import { channelContract } from "./contract.js";
import { connectPair } from "./server.js";

describe.each([
  "tcp://127.0.0.1:0",
  "http://127.0.0.1:0",
  "h2://127.0.0.1:0",
  "grpc://127.0.0.1:0",
  "unix://",
])("%s", (url) => {
  channelContract(() => connectPair(url));
});

describe.each(["ws://127.0.0.1:0", "ws+unix://"])("%s", (url) => {
  channelContract(() => connectPair(url), { noHalfClose: true });
});
