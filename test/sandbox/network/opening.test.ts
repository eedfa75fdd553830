import { once } from "node:events";
import { createServer } from "node:net";
import { connect } from "node:tls";
import { expect, test } from "vitest";
import { inspectOpening } from "../../../src/sandbox/network/opening.js";
import { RawClient, startProxy, startServer } from "./support.js";

/** Returns the first message of a real TLS client. */
async function greetingFor(servername: string | undefined): Promise<Buffer> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const client = connect({ host: "127.0.0.1", port, ...(servername ? { servername } : {}) });
  client.on("error", () => {});
  const [socket] = await once(server, "connection");
  const [greeting] = await once(socket, "data");
  client.destroy();
  server.close();
  return greeting;
}

/** Splits the message of a record into records of a few bytes. */
function fragmented(record: Buffer, size: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 5; at < record.length; at += size) {
    const part = record.subarray(at, at + size);
    parts.push(Buffer.from([0x16, 3, 1, part.length >> 8, part.length & 0xff]), part);
  }
  return Buffer.concat(parts);
}

test("the server name of a TLS greeting is read, in one record or many", async () => {
  const greeting = await greetingFor("good.test");

  expect(inspectOpening(greeting)).toEqual({ protocol: "tls", names: ["good.test"] });
  expect(inspectOpening(fragmented(greeting, 7))).toEqual({
    protocol: "tls",
    names: ["good.test"],
  });
  expect(inspectOpening(await greetingFor(undefined))).toEqual({ protocol: "tls", names: [] });
});

test("no beginning of a greeting is taken for something else", async () => {
  const greeting = await greetingFor("good.test");

  for (let length = 0; length < greeting.length; length++) {
    expect(inspectOpening(greeting.subarray(0, length))).toEqual({ protocol: "unknown" });
  }
});

test("a greeting with a wrong length is broken, never passed on", async () => {
  const greeting = await greetingFor("good.test");

  for (let at = 6; at < 200; at++) {
    const wrong = Buffer.from(greeting);
    wrong[at] = (wrong[at] ?? 0) ^ 0xff;
    expect(["tls", "broken", "unknown"]).toContain(inspectOpening(wrong).protocol);
  }
});

test.each([
  ["GET / HTTP/1.1\r\n", "http"],
  ["\r\nGET / HTTP/1.1\r\n", "http"],
  ["ODD / HTTP/1.0\n", "http"],
  ["get / http/1.1\r\n", "http"],
  ["GET / HT", "unknown"],
  ["PRI * HTTP/2.0\r\n", "broken"],
  ["EHLO me\r\n", "other"],
  ["SSH-2.0-OpenSSH_9\r\n", "other"],
  ["\0\0\0\x08", "other"],
])("%j is recognized as %s", (text, protocol) => {
  expect(inspectOpening(Buffer.from(text, "latin1")).protocol).toBe(protocol);
});

test.each([
  ["denied.test", false],
  ["unlisted.test", false],
  ["also.test", true],
  ["good.test", true],
])("a tunnel to an allowed host with TLS for %s passes: %j", async (name, passes) => {
  using proxy = await startProxy();
  let received = 0;
  await using server = await startServer((socket) => {
    socket.on("data", (part) => {
      received += part.length;
      socket.write("received");
    });
  });
  const client = new RawClient(proxy.port).send(
    `CONNECT good.test:${server.port} HTTP/1.1\r\n\r\n`,
  );
  const head = await client.until("\r\n\r\n");
  const greeting = await greetingFor(name);

  client.send(greeting.subarray(0, 100)).send(greeting.subarray(100));

  if (!passes) {
    const alert = (await client.ended()).slice(head.length);
    expect(Buffer.from(alert, "latin1")).toEqual(Buffer.from([0x15, 3, 3, 0, 2, 2, 112]));
    expect(received).toBe(0);
  } else {
    await client.until("received");
    client.socket.destroy();
  }
});
