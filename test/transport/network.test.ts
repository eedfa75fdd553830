import { describe } from "vitest";
import { channelContract } from "./contract.js";
import { connectPair } from "./server.js";

// Lines share one limit, which is tried over TCP; gRPC and WebSocket have their own.
describe.each([
  ["tcp://127.0.0.1:0", { limitsSize: true }],
  ["http://127.0.0.1:0", {}],
  ["h2://127.0.0.1:0", {}],
  ["grpc://127.0.0.1:0", { limitsSize: true }],
  ["unix://", {}],
  ["ws://127.0.0.1:0", { noHalfClose: true, limitsSize: true }],
  ["ws+unix://", { noHalfClose: true }],
])("%s", (url, traits) => {
  channelContract(() => connectPair(url), traits);
});
