import { once } from "node:events";
import { connect as connectSocket, type Socket } from "node:net";
import { expect, test } from "vitest";
import { Malformed } from "../../src/transport/index.js";
import { readAll, reader, take } from "./contract.js";
import { startTestServer, type TestServer } from "./server.js";

test("a connection that breaks in the middle of a message ends without it", async () => {
  await using server = await startTestServer("tcp://127.0.0.1:0");
  const socket = await dial(server);
  const channel = await server.accepted();
  const read = reader(channel);
  socket.write('{"whole":1}\n{"cut":"in the mid');
  expect(await read(1)).toEqual([{ whole: 1 }]);

  socket.resetAndDestroy();

  expect(await read(1)).toEqual([]);
  expect(channel.isOpen).toBe(false);
});

test("a last line without a newline counts when the client ends in order", async () => {
  await using server = await startTestServer("tcp://127.0.0.1:0");
  const socket = await dial(server);

  socket.end('{"first":1}\r\n\r\n"last"');

  expect(await readAll(await server.accepted())).toEqual([{ first: 1 }, "last"]);
});

test("a request sent one byte at a time is read", async () => {
  await using server = await startTestServer("tcp://127.0.0.1:0");
  const socket = await dial(server);

  for (const byte of Buffer.from('{"grün":"🎉"}\n')) {
    socket.write(Buffer.from([byte]));
    await new Promise((resolve) => setImmediate(resolve));
  }

  expect(await take(await server.accepted(), 1)).toEqual([{ grün: "🎉" }]);
});

test("bytes that mean nothing cost their own line", async () => {
  await using server = await startTestServer("tcp://127.0.0.1:0");
  const socket = await dial(server);
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;

  socket.write('{}\nnot json\n\0\0\0\n{"cut":\n');
  socket.write(Buffer.from([0xff, 0xfe, 0x0a]));
  socket.write(`${deep}\n"after"\n`);

  const messages = await take(await server.accepted(), 7);
  expect(messages.slice(1, 6).every((message) => message instanceof Malformed)).toBe(true);
  expect(messages[6]).toBe("after");
});

const command = '{"id":1,"method":"command/exec","params":{"command":["touch","x"]}}\n';

const post = (line: string) =>
  `${line}\r\nHost: 127.0.0.1\r\nOrigin: https://evil.example\r\n` +
  `Content-Type: text/plain\r\nContent-Length: ${command.length}\r\n\r\n${command}`;

/** Bytes that a browser can be made to send to a local port, and other non-messages. */
const strangers: [name: string, bytes: string | Buffer][] = [
  ...[1, 64, 8000, 100_000].map((length): [string, string] => [
    `an HTTP request with a path of ${length} characters`,
    post(`POST /${"a".repeat(length)} HTTP/1.1`),
  ]),
  ["an HTTP request in small letters", post("post / http/1.0")],
  ["an HTTP/0.9 request", `GET /\r\n${command}`],
  ["an HTTP request after empty lines", `\r\n\r\n${post("POST / HTTP/1.1")}`],
  ["an HTTP/2 preface", `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${command}`],
  ["an HTTP request whose method is JSON", post('{"a" /x HTTP/1.1')],
  ["a TLS hello with a session ticket", `\x16\x03\x01\x02\x00\x01\x00\n${command}`],
  ["a TLS hello without a newline", Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00])],
  ["text", `hello\n${command}`],
  ["a cut object", `{"id":\n${command}`],
  ["a list", `[${command.trim()}]\n${command}`],
  ["a string", `"x"\n${command}`],
  ["a number", `7\n${command}`],
  ["null", `null\n${command}`],
  ["half a byte order mark", Buffer.concat([Buffer.from([0xef, 0xbb]), Buffer.from(command)])],
  ["NUL bytes", `\0\0\n${command}`],
];

test.each(strangers)("[security H1] %s is dropped with all that follows it", async (_, bytes) => {
  await using server = await startTestServer("tcp://127.0.0.1:0");
  const socket = await dial(server);

  socket.write(bytes);
  socket.write(command);

  expect(await readAll(await server.accepted())).toEqual([]);
  expect(await textOf(socket)).toBe("");
});

test.each(strangers)("[security H1] with a token needed, %s is dropped too", async (_, bytes) => {
  await using server = await startTestServer("tcp://127.0.0.1:0", { token: "s3cret" });
  const socket = await dial(server);

  socket.write(bytes);
  socket.write('{"token":"s3cret"}\n');
  socket.write(command);

  expect(await textOf(socket)).not.toContain("accepted");
  expect(server.infos).toEqual([]);
});

test("[security H1] a byte order mark before the first object is no stranger", async () => {
  await using server = await startTestServer("tcp://127.0.0.1:0");
  const socket = await dial(server);

  socket.write(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{"a":1}\n')]));

  expect(await take(await server.accepted(), 1)).toEqual([{ a: 1 }]);
});

test("a token is the first line, and its answer comes before anything else", async () => {
  await using server = await startTestServer("tcp://127.0.0.1:0", { token: "s3cret" });
  const socket = await dial(server);

  socket.write('{"token":"s3cret"}\n"hello"\n');
  const channel = await server.accepted();
  channel.send("welcome");
  expect(await take(channel, 1)).toEqual(["hello"]);
  await channel.close();

  expect(await textOf(socket)).toBe('{"token":"accepted"}\n"welcome"\n');
});

test.each([
  ['{"token":"wrong"}\n"hello"\n'],
  ['{"token":""}\n'],
  ['{"token":5}\n'],
  ['{"token":"s3cret","more":1}\n'],
  ['{"id":1,"method":"initialize"}\n'],
  [`{"token":"s3cret${" ".repeat(20_000)}"}\n`],
])("without the token %s is refused and nothing is read", async (text) => {
  await using server = await startTestServer("tcp://127.0.0.1:0", { token: "s3cret" });
  const socket = await dial(server);

  socket.write(text);

  expect(await textOf(socket)).toBe('{"token":"refused"}\n');
  expect(server.infos).toEqual([]);
});

async function dial(server: TestServer): Promise<Socket> {
  const socket = connectSocket({ port: Number(server.url.split(":").at(-1)), host: "127.0.0.1" });
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

async function textOf(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  // A peer that drops the connection may reset it; data received before still counts.
  await new Promise((resolve) => socket.once("close", resolve));
  return Buffer.concat(chunks).toString();
}
