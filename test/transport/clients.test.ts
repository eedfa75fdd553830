import { createConnection } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { connect } from "../../src/transport/index.js";
import { createCertificate } from "../../src/transport/web/certificate.js";
import { repeats } from "../support/counts.js";
import { readAll, reader, take, until } from "./contract.js";
import { connectPair, startTestServer } from "./server.js";

const remote = ["tcp", "http", "h2", "grpc", "ws"].map((scheme) => `${scheme}://127.0.0.1:0`);
const all = [...remote, "unix://", "ws+unix://"];

test.each(remote)("%s speaks TLS when it has a certificate", async (url) => {
  const tls = createCertificate();
  await using pair = await connectPair(url, { server: { tls }, client: { tls: { ca: tls.cert } } });

  pair.near.send({ text: "x".repeat(1024 * 1024) });
  pair.far.send("pong");

  expect(await take(pair.near, 1)).toEqual(["pong"]);
  expect(JSON.stringify(await take(pair.far, 1)).length).toBe(1024 * 1024 + 13);
});

test.each(remote)("a client of %s does not talk to a server it cannot trust", async (url) => {
  await using server = await startTestServer(url, { tls: createCertificate() });

  expect(server.url).toMatch(/^(tls|https|h2s|grpcs|wss):/);
  expect(server.listener.isEncrypted).toBe(true);
  await expect(connect(server.url)).rejects.toMatchObject({ code: "unreachable" });
});

test.each(all)("%s accepts only clients with the token", async (url) => {
  const token = "correct horse battery staple".replaceAll(" ", "-");
  await using server = await startTestServer(url, { token });

  const wrong = [undefined, "", "wrong", `${token}x`, token.slice(1), token.toUpperCase()];
  const outcomes = wrong.map((presented) => {
    const joined = connect(server.url, presented === undefined ? {} : { token: presented });
    // Over a raw socket, a client without a token is refused at its first message.
    joined.then((channel) => channel.send({ id: 1, method: "initialize" })).catch(() => {});
    return joined.then(readAll, (error: { code: string }) => error.code);
  });
  for (const outcome of await Promise.all(outcomes)) {
    expect([[{ token: "refused" }], "unauthorized"]).toContainEqual(outcome);
  }
  expect(server.infos).toEqual([]);
  const near = await connect(server.url, { token });
  const far = await server.accepted();
  near.send("let in");

  expect(await take(far, 1)).toEqual(["let in"]);
});

test.each(all)("a client of %s may present a token that is not required", async (url) => {
  await using server = await startTestServer(url, {});

  const near = await connect(server.url, { token: "unasked" });
  const far = await server.accepted();
  far.send("welcome");
  near.send("thanks");

  expect(await take(near, 1)).toEqual(["welcome"]);
  expect(await take(far, 1)).toEqual(["thanks"]);
});

test.each(all)("%s serves many clients that come and go as they like", async (url) => {
  await using server = await startTestServer(url);
  const count = repeats(220, 60);
  void echo(server, count);

  const received = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const channel = await connect(server.url);
      const read = reader(channel);
      for (let i = 0; i <= n % 5; i++) channel.send({ n, i });
      const replies = n % 4 === 3 ? [] : await read((n % 5) + 1);
      if (n % 2 === 0) await channel.close();
      else channel.destroy();
      return replies;
    }),
  );

  const expected = (_: unknown, n: number) =>
    n % 4 === 3 ? [] : Array.from({ length: (n % 5) + 1 }, (_, i) => ({ n, i }));
  expect(received).toEqual(Array.from({ length: count }, expected));
  const again = await connect(server.url);
  void echo(server, 1);
  again.send(stillThere);
  expect(await take(again, 1)).toEqual([stillThere]);
});

test.each(all)("%s turns away more clients than it may have", async (url) => {
  await using server = await startTestServer(url, { maxConnections: 3 });
  const inside = await Promise.all([1, 2, 3].map(() => connect(server.url)));
  await until(() => server.infos.length === 3);
  void echo(server, 4);

  const fourth = connect(server.url).then(readAll);
  await expect(
    fourth.then(
      (messages) => messages,
      () => [],
    ),
  ).resolves.toEqual([]);

  expect(server.infos.length).toBe(3);
  inside[0]?.destroy();
  while (server.infos.length < 4) await connect(server.url).catch(() => undefined);
});

test.each(all)("%s survives any bytes sent to it", async (url) => {
  await using server = await startTestServer(url);
  void echo(server, 10_000);
  const starts = [
    "",
    "GET / HTTP/1.1\r\n",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "\x16\x03\x01",
    "{",
  ];

  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...starts),
      fc.uint8Array({ maxLength: 2000 }),
      fc.boolean(),
      async (start, bytes, isReset) => {
        const socket = createConnection(rawTarget(server.url));
        socket.on("error", () => {}).resume();
        await new Promise((resolve) => socket.once("connect", resolve));
        socket.write(Buffer.concat([Buffer.from(start, "latin1"), bytes]));
        await new Promise((resolve) => setImmediate(resolve));
        if (isReset) url.includes("unix") ? socket.destroy() : socket.resetAndDestroy();
        else socket.end();
        setTimeout(() => socket.destroy(), 1000).unref();
      },
    ),
    { numRuns: repeats(60, 20) },
  );

  const channel = await connect(server.url);
  channel.send(stillThere);
  expect(await take(channel, 1)).toEqual([stillThere]);
});

test.each(all)(
  "closing a listener of %s ends its connections and frees its address",
  async (url) => {
    await using server = await startTestServer(url);
    const clients = await Promise.all([1, 2, 3].map(() => connect(server.url)));
    const received = Promise.all(clients.map(readAll));

    await server.listener.close();
    await server.listener.close();

    expect(await received).toEqual([[], [], []]);
    await expect(connect(server.url)).rejects.toMatchObject({ code: "unreachable" });
    await using next = await startTestServer(server.url);
    expect(next.url).toBe(server.url);
  },
);

/** Echoes the messages of the next `count` clients. */
async function echo(server: Awaited<ReturnType<typeof startTestServer>>, count: number) {
  for (let n = 0; n < count; n++) {
    const channel = await server.accepted();
    void (async () => {
      for await (const message of channel.incoming) channel.send(message);
      await channel.close();
    })();
  }
}

function rawTarget(url: string): { path: string } | { host: string; port: number } {
  const [, path] = /unix:\/\/(.*)/.exec(url) ?? [];
  if (path !== undefined) return { path };
  return { host: "127.0.0.1", port: Number(url.split(":").at(-1)) };
}

/** An object, because a raw socket is dropped if its first line is anything else. */
const stillThere = { question: "still there?" };
