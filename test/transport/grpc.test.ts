import { once } from "node:events";
import { resolve } from "node:path";
import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeBatch, encodeBatch } from "../../src/transport/grpc-batch.js";
import { Malformed } from "../../src/transport/index.js";
import { readAll, reader, take, until } from "./contract.js";
import { startTestServer, type TestServer } from "./server.js";

test("a client made from the .proto alone can speak", async () => {
  await using server = await startTestServer("grpc://127.0.0.1:0");
  const { call, client } = openCall(server);

  call.write({ messages: ['{"id":"1"}', '{"id":"2"}'] });
  call.write({ messages: [] });
  call.write({ messages: ["not json", '"grün 🎉"'] });
  call.end();
  const channel = await server.accepted();
  const received = await readAll(channel);
  channel.send({ type: "event", text: "grün 🎉" });
  await channel.close();

  expect([received[0], received[1], received[3]]).toEqual([{ id: "1" }, { id: "2" }, "grün 🎉"]);
  expect(received[2]).toBeInstanceOf(Malformed);
  expect(await call.toArray()).toEqual([{ messages: ['{"type":"event","text":"grün 🎉"}'] }]);
  client.close();
});

test.each([
  ["no token", {}, grpc.status.UNAUTHENTICATED],
  ["another token", { authorization: "Bearer wrong" }, grpc.status.UNAUTHENTICATED],
  [
    "an Origin",
    { authorization: "Bearer s3cret", origin: "https://evil.example" },
    grpc.status.PERMISSION_DENIED,
  ],
])("a call with %s is refused", async (_, headers, code) => {
  await using server = await startTestServer("grpc://127.0.0.1:0", { token: "s3cret" });
  const { call, client } = openCall(server, headers);

  const [error] = await once(call, "error");

  expect(error.code).toBe(code);
  expect(server.infos).toEqual([]);
  client.close();
});

test("a call that is cancelled ends the stream", async () => {
  await using server = await startTestServer("grpc://127.0.0.1:0");
  const { call, client } = openCall(server);
  call.on("error", () => {});
  call.write({ messages: ['"whole"'] });
  const channel = await server.accepted();
  const read = reader(channel);
  expect(await read(1)).toEqual(["whole"]);

  call.cancel();

  expect(await read(1)).toEqual([]);
  await until(() => !channel.isOpen);
  client.close();
});

test("a message that is no batch ends the call and nothing else", async () => {
  await using server = await startTestServer("grpc://127.0.0.1:0");
  const client = new grpc.Client(targetOf(server), grpc.credentials.createInsecure());
  const bytes = (value: Buffer) => value;
  const call = client.makeBidiStreamRequest("/quire.v1.Quire/Open", bytes, bytes);
  call.write(Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f, 1]));

  const [error] = await once(call, "error");

  expect(error.code).toBe(grpc.status.INTERNAL);
  client.close();
  const { call: next, client: nextClient } = openCall(server);
  next.on("error", () => {});
  await server.accepted();
  next.write({ messages: ["1"] });
  expect(await take(await server.accepted(), 1)).toEqual([1]);
  nextClient.close();
});

test("batches are written as any protobuf library writes them, and read back", () => {
  const { requestSerialize } = quireService().service.Open as grpc.MethodDefinition<object, object>;

  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ unit: "grapheme" }), fc.string())), (messages) => {
      const bytes = encodeBatch(messages);
      expect(bytes).toEqual(requestSerialize({ messages }));
      expect(decodeBatch(bytes)).toEqual(messages);
    }),
  );
  const long = ["x".repeat(300), "y".repeat(70_000)];
  expect(decodeBatch(encodeBatch(long))).toEqual(long);
});

test("fields of a later version are skipped", () => {
  const known = encodeBatch(["a"]);
  const others = Buffer.from([
    ...[0x10, 0x96, 0x01], // field 2, a number
    ...[0x1a, 0x02, 0x68, 0x69], // field 3, bytes
    ...[0x21, 1, 2, 3, 4, 5, 6, 7, 8], // field 4, 64 bits
    ...[0x2d, 1, 2, 3, 4], // field 5, 32 bits
  ]);

  expect(decodeBatch(Buffer.concat([others, known, others, known]))).toEqual(["a", "a"]);
});

test("bytes that are no batch throw and never run away", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      try {
        expect(Array.isArray(decodeBatch(Buffer.from(bytes)))).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }),
  );
});

function quireService() {
  const file = resolve(import.meta.dirname, "../../schema/quire.proto");
  const root = grpc.loadPackageDefinition(protoLoader.loadSync(file, { defaults: true }));
  const { Quire } = (root.quire as grpc.GrpcObject).v1 as grpc.GrpcObject;
  return Quire as grpc.ServiceClientConstructor;
}

interface Batch {
  messages: string[];
}

function openCall(server: TestServer, headers: Record<string, string> = {}) {
  const metadata = new grpc.Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  const client = new (quireService())(targetOf(server), grpc.credentials.createInsecure());
  const open = client.Open as (metadata: grpc.Metadata) => grpc.ClientDuplexStream<Batch, Batch>;
  return { client, call: open.call(client, metadata) };
}

function targetOf(server: TestServer): string {
  return server.url.slice("grpc://".length);
}
