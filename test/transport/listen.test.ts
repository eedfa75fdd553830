import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { formatAddress, isLoopback, parseAddress } from "../../src/transport/address.js";
import { connect, listen } from "../../src/transport/index.js";
import { take } from "./contract.js";
import { startTestServer } from "./server.js";

const onConnection = () => {};

test.each([
  "stdio://",
  "ipc://",
  "http://127.0.0.1:4500",
  "https://h:443",
  "unix:///run/quire/s.sock",
  "unix://relative.sock",
  "ws+unix:///a b?c#d%20.sock",
  "tcp://127.0.0.1:4500",
  "tls://build.example:1",
  "h2://[::1]:65535",
  "h2s://h:2",
  "grpc://localhost:0",
  "grpcs://h:2",
  "ws://0.0.0.0:80",
  "wss://h:2",
])("%s is an address, written as it is read", (url) => {
  expect(formatAddress(parseAddress(url))).toBe(url);
});

test.each([
  ["", "expected stdio://"],
  ["off", "expected stdio://"],
  ["127.0.0.1:4500", "expected stdio://"],
  ["ftp://127.0.0.1:4500", "expected stdio://"],
  ["ipc://x", "`ipc://` takes no path"],
  ["toString://127.0.0.1:4500", "expected stdio://"],
  ["stdio://x", "`stdio://` takes no path"],
  ["unix://", "the path of the socket is missing"],
  ["unix:///a\0b", "a path cannot contain a NUL byte"],
  [`unix:///${"long/".repeat(40)}`, "the path of a socket has at most"],
  ["tcp://127.0.0.1", "a host and a port are expected"],
  ["tcp://:4500", "a host and a port are expected"],
  ["ws://user:pass@127.0.0.1:4500", "a host and a port are expected"],
  ["ws://127.0.0.1:4500/path", "a host and a port are expected"],
  ["ws://127.0.0.1:-1", "a host and a port are expected"],
  ["ws://127.0.0.1:65536", "65536 is not a port; the highest is 65535"],
  ["ws://::1:4500", "a host and a port are expected"],
])("`%s` is no address, and the error says why", async (url, problem) => {
  await expect(listen(url, { onConnection })).rejects.toMatchObject({
    code: "bad_url",
    message: expect.stringContaining(problem),
  });
  await expect(connect(url)).rejects.toMatchObject({ code: "bad_url" });
});

test("loopback covers only addresses of this machine", () => {
  const local = ["127.0.0.1", "127.9.9.9", "::1", "[::1]", "LOCALHOST", "::ffff:127.0.0.1"];
  const others = ["0.0.0.0", "::", "10.0.0.1", "localhost.evil.example", "127.0.0.1.example", ""];

  expect(local.filter((host) => !isLoopback(host))).toEqual([]);
  expect(others.filter(isLoopback)).toEqual([]);
});

test.each(["tcp", "http", "h2", "grpc", "ws"])(
  "%s does not listen for other machines without a token",
  async (scheme) => {
    for (const host of ["0.0.0.0", "[::]", "192.0.2.1"]) {
      await expect(listen(`${scheme}://${host}:0`, { onConnection })).rejects.toMatchObject({
        code: "not_private",
        message: expect.stringContaining("set a token, or listen on 127.0.0.1"),
      });
    }
    await using server = await startTestServer(`${scheme}://0.0.0.0:0`, { token: "s3cret" });
    const near = await connect(server.url.replace("0.0.0.0", "127.0.0.1"), { token: "s3cret" });
    near.send("hello");
    expect(await take(await server.accepted(), 1)).toEqual(["hello"]);
  },
);

test.each(["tcp", "http", "h2", "grpc", "ws"])(
  "%s reports that a port is in use",
  async (scheme) => {
    await using server = await startTestServer(`${scheme}://127.0.0.1:0`);

    await expect(listen(server.url, { onConnection })).rejects.toMatchObject({
      code: "in_use",
      message: `${server.url} is in use. Another program listens there; stop it or choose another address`,
    });
  },
);

test("an address of another machine cannot be listened on", async () => {
  const options = { onConnection, token: "s3cret" };

  await expect(listen("tcp://192.0.2.1:0", options)).rejects.toMatchObject({
    code: "bad_url",
    message: "tcp://192.0.2.1:0 is not an address of this machine",
  });
});

test("a secure address needs a certificate", async () => {
  await expect(listen("wss://127.0.0.1:0", { onConnection })).rejects.toMatchObject({
    code: "not_private",
    message: "wss://127.0.0.1:0 needs a certificate and its key",
  });
});

test("a token is not sent in the clear to another machine", async () => {
  await expect(connect("ws://192.0.2.1:80", { token: "s3cret" })).rejects.toMatchObject({
    code: "not_private",
    message: expect.not.stringContaining("s3cret"),
  });
});

test.each(["tcp", "http", "h2", "grpc", "ws"])(
  "%s reports that nothing listens",
  async (scheme) => {
    const server = await startTestServer(`${scheme}://127.0.0.1:0`);
    await server[Symbol.asyncDispose]();

    await expect(connect(server.url)).rejects.toMatchObject({
      code: "unreachable",
      message: expect.stringContaining(`Cannot connect to ${server.url}`),
    });
  },
);

test.each(["tcp", "http", "h2", "grpc", "ws"])(
  "connecting to a silent %s can be given up",
  async (scheme) => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => sockets.add(socket)).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const url = `${scheme}://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const abort = new AbortController();
    const joining = connect(url, { token: "s3cret", signal: abort.signal });
    const outcome = expect(joining).rejects.toThrow("enough");
    await once(silent, "connection");

    abort.abort(new Error("enough"));

    await outcome;
    await expect(connect(url, { signal: abort.signal })).rejects.toThrow("enough");
    for (const socket of sockets) socket.destroy();
    silent.close();
  },
);

test("the signal closes the listener and its connections", async () => {
  const abort = new AbortController();
  await using server = await startTestServer("tcp://127.0.0.1:0", { signal: abort.signal });
  const client = await connect(server.url);

  abort.abort();

  expect(await take(client, 1)).toEqual([]);
  await expect(connect(server.url)).rejects.toMatchObject({ code: "unreachable" });
});

test("stdio is one connection over the streams that were given", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  await using server = await startTestServer("stdio://", { stdio: { input, output } });
  const channel = await server.accepted();
  input.write('"hello"\n');
  channel.send("welcome");

  expect(await take(channel, 1)).toEqual(["hello"]);
  await channel.close();
  expect(String(output.read())).toBe('"welcome"\n');
  await expect(listen("stdio://", { onConnection })).rejects.toThrow("no stdio to listen on");
  await expect(connect("stdio://")).rejects.toThrow("start it and use its pipes");
});

test("a connection reports its remote address", async () => {
  await using tcp = await startTestServer("tcp://127.0.0.1:0");
  await using grpc = await startTestServer("grpc://127.0.0.1:0");
  await using unix = await startTestServer("unix://");
  for (const server of [tcp, grpc, unix]) {
    await connect(server.url);
    await server.accepted();
  }

  const remote = expect.stringMatching(/^127\.0\.0\.1:\d+$/);
  expect([...tcp.infos, ...grpc.infos, ...unix.infos]).toEqual([
    { transport: "tcp", remote },
    { transport: "grpc", remote },
    { transport: "unix", remote: undefined },
  ]);
});
