import { expect, test } from "vitest";
import { authority, formatAddress, isLoopback, parseAddress } from "../../src/transport/address.js";
import { connect } from "../../src/transport/index.js";

test.each([
  ["stdio://", { transport: "stdio" }],
  ["ipc://", { transport: "ipc" }],
  ["unix:///run/q.sock", { transport: "unix", path: "/run/q.sock", framing: "lines" }],
  ["ws+unix://./q.sock", { transport: "unix", path: "./q.sock", framing: "websocket" }],
  ["tcp://127.0.0.1:1", { transport: "tcp", host: "127.0.0.1", port: 1, secure: false }],
  ["tls://a.example:65535", { transport: "tcp", host: "a.example", port: 65535, secure: true }],
  ["https://[::1]:443", { transport: "http", host: "::1", port: 443, secure: true }],
  ["h2s://h:1", { transport: "h2", host: "h", port: 1, secure: true }],
  ["grpcs://h:1", { transport: "grpc", host: "h", port: 1, secure: true }],
  ["wss://h:1", { transport: "ws", host: "h", port: 1, secure: true }],
])("%s is parsed, and formatted as it was", (url, address) => {
  const parsed = parseAddress(url);

  expect(parsed).toEqual(address);
  expect(formatAddress(parsed)).toBe(url);
});

test("schemes are case-insensitive, and a final slash is accepted", () => {
  expect(formatAddress(parseAddress("WS://Host:80/"))).toBe("ws://Host:80");
});

test.each([
  ["", "expected stdio://"],
  ["127.0.0.1:80", "expected stdio://"],
  ["ftp://a:1", "expected stdio://"],
  ["stdio://x", "takes no path"],
  ["ipc://x", "takes no path"],
  ["unix://", "the path of the socket is missing"],
  ["unix:///a\0b", "NUL"],
  [`unix:///${"a".repeat(200)}`, "at most"],
  ["tcp://host", "a host and a port are expected"],
  ["tcp://:80", "a host and a port are expected"],
  ["tcp://::1:80", "a host and a port are expected"],
  ["tcp://a:80/path", "a host and a port are expected"],
  ["tcp://user@a:80", "a host and a port are expected"],
  ["tcp://a:65536", "65536 is not a port"],
])("%j is refused: %s", (url, problem) => {
  expect(() => parseAddress(url)).toThrow(problem);
});

test("a long address is shortened in its error", () => {
  expect(() => parseAddress("x".repeat(10_000))).toThrow(/^.{1,500}$/s);
});

test.each([
  ["localhost", true],
  ["LOCALHOST", true],
  ["127.0.0.1", true],
  ["127.255.0.9", true],
  ["::1", true],
  ["[::1]", true],
  ["::ffff:127.0.0.1", true],
  ["0.0.0.0", false],
  ["::", false],
  ["127.0.0.1.evil.example", false],
  ["localhost.evil.example", false],
  ["128.0.0.1", false],
  ["", false],
])("%j is loopback: %j", (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

test("an IPv6 host is put in brackets before its port", () => {
  expect([authority("::1", 80), authority("a.example", 80)]).toEqual(["[::1]:80", "a.example:80"]);
});

test.each([
  ["stdio://", "bad_url"],
  ["ipc://", "bad_url"],
  ["nowhere", "bad_url"],
])("a client cannot connect to %s", async (url, code) => {
  await expect(connect(url)).rejects.toMatchObject({ code });
});

test("a connection that was cancelled before it started rejects with the reason", async () => {
  const signal = AbortSignal.abort(new Error("not needed"));

  await expect(connect("tcp://127.0.0.1:1", { signal })).rejects.toThrow("not needed");
});
