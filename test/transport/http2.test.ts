import { once } from "node:events";
import { type ClientHttp2Session, connect as openSession } from "node:http2";
import { connect as connectSocket } from "node:net";
import { expect, test } from "vitest";
import { reader, until } from "./contract.js";
import { startTestServer } from "./server.js";

test.each([
  [{ ":path": "/readyz" }, 200],
  [{ ":path": "/healthz", ":method": "POST" }, 405],
  [{ ":path": "/readyz", origin: "https://evil.example" }, 403],
  [{ ":path": "/readyz", ":authority": "evil.example" }, 403],
  [{ ":path": "/", ":method": "POST" }, 401],
  [{ ":path": "/?token=s3cret", ":method": "POST" }, 401],
  [{ ":path": "/other", ":method": "POST", authorization: "Bearer s3cret" }, 404],
  [{ ":path": "/", authorization: "Bearer s3cret" }, 405],
  [{ ":path": "/", ":method": "POST", authorization: "Bearer s3cret", origin: "x" }, 403],
  [{ ":path": "/", ":method": "POST", authorization: "Bearer s3cret" }, 200],
])("%j is answered by %i", async (headers, expected) => {
  await using server = await startTestServer("h2://127.0.0.1:0", { token: "s3cret" });
  await using client = sessionOf(server.url);

  const stream = client.session.request(headers);
  const [answer] = await once(stream, "response");

  expect(answer[":status"]).toBe(expected);
});

test("any client that can stream a request speaks it, several channels a connection", async () => {
  await using server = await startTestServer("h2://127.0.0.1:0");
  await using client = sessionOf(server.url);
  const post = { ":method": "POST", ":path": "/" };
  const streams = [client.session.request(post), client.session.request(post)];

  for (const [n, stream] of streams.entries()) stream.end(`{"stream":${n}}\n`);
  const channels = [await server.accepted(), await server.accepted()];
  for (const channel of channels) {
    for await (const message of channel.incoming) channel.send({ received: message });
    await channel.close();
  }

  const texts = await Promise.all(streams.map((stream) => stream.setEncoding("utf8").toArray()));
  expect(texts.map((parts) => parts.join(""))).toEqual([
    '{"received":{"stream":0}}\n',
    '{"received":{"stream":1}}\n',
  ]);
});

test.each(["stream", "connection"])(
  "a %s that breaks in the middle of a message ends without it",
  async (what) => {
    await using server = await startTestServer("h2://127.0.0.1:0");
    const socket = connectSocket(Number(server.url.split(":").at(-1)), "127.0.0.1");
    const headers = Buffer.concat([
      Buffer.from([0x83, 0x86, 0x84, 0x41, 0x09]), // POST, http, / and the authority
      Buffer.from("127.0.0.1"),
    ]);
    socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    socket.write(frame({ type: 4, stream: 0 }));
    socket.write(frame({ type: 1, flags: 4, stream: 1, content: headers }));
    socket.write(
      frame({ type: 0, stream: 1, content: Buffer.from('"whole"\n{"cut":"in the mid') }),
    );
    const channel = await server.accepted();
    const read = reader(channel);
    expect(await read(1)).toEqual(["whole"]);

    if (what === "connection") socket.resetAndDestroy();
    else socket.write(frame({ type: 3, stream: 1, content: Buffer.from([0, 0, 0, 8]) }));

    expect(await read(1)).toEqual([]);
    await until(() => !channel.isOpen);
    socket.destroy();
  },
);

interface Frame {
  type: number;
  flags?: number;
  stream: number;
  content?: Buffer;
}

function frame({ type, flags = 0, stream, content = Buffer.alloc(0) }: Frame): Buffer {
  const { length } = content;
  const head = [length >> 16, (length >> 8) & 0xff, length & 0xff, type, flags, 0, 0, 0, stream];
  return Buffer.concat([Buffer.from(head), content]);
}

function sessionOf(url: string): { session: ClientHttp2Session } & AsyncDisposable {
  const session = openSession(url.replace("h2://", "http://"));
  session.on("error", () => {});
  return {
    session,
    async [Symbol.asyncDispose]() {
      session.destroy();
    },
  };
}
