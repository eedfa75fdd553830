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
  socket.write('"whole"\n{"cut":"in the mid');
  expect(await read(1)).toEqual(["whole"]);

  socket.resetAndDestroy();

  expect(await read(1)).toEqual([]);
  expect(channel.isOpen).toBe(false);
});

test("a last line without a newline counts when the client ends in order", async () => {
  await using server = await startTestServer("tcp://127.0.0.1:0");
  const socket = await dial(server);

  socket.end('"first"\r\n\r\n"last"');

  expect(await readAll(await server.accepted())).toEqual(["first", "last"]);
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

  socket.write('not json\n\0\0\0\n{"cut":\n');
  socket.write(Buffer.from([0xff, 0xfe, 0x0a]));
  socket.write(`${deep}\n"after"\n`);

  const messages = await take(await server.accepted(), 6);
  expect(messages.slice(0, 5).every((message) => message instanceof Malformed)).toBe(true);
  expect(messages[5]).toBe("after");
});

test("a page in a browser that posts to the port has no effect", async () => {
  await using server = await startTestServer("tcp://127.0.0.1:0");
  const socket = await dial(server);
  const body = '{"id":1,"method":"command/exec","params":{"command":["touch","x"]}}\n';

  socket.write(
    `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://evil.example\r\n` +
      `Content-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );

  expect(await readAll(await server.accepted())).toEqual([]);
  expect(await textOf(socket)).toBe("");
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
  ["not json\n"],
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
  await once(socket, "close");
  return Buffer.concat(chunks).toString();
}
