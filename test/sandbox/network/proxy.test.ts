import { expect, test, vi } from "vitest";
import {
  otherAddress,
  RawClient,
  rules,
  startProxy,
  startServer,
  startWebServer,
} from "./support.js";

async function exchange(port: number, text: string): Promise<string> {
  return new RawClient(port).send(text).ended();
}

test("a request with an absolute URL is passed on without the headers for the proxy", async () => {
  using proxy = await startProxy();
  await using web = await startServer((socket) => {
    socket.once("data", (request) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${request}`));
  });

  const response = await exchange(
    proxy.port,
    `GET http://good.test:${web.port}/a?b HTTP/1.1\r\nHost: good.test:${web.port}\r\nProxy-Connection: keep-alive\r\nX-Own: 1\r\nX-Own: 2\r\nConnection: close\r\n\r\n`,
  );

  expect(response).toContain("GET /a?b HTTP/1.1\r\n");
  expect(response).toContain(`Host: good.test:${web.port}\r\n`);
  expect(response).toContain("X-Own: 1\r\nX-Own: 2\r\n");
  expect(response).not.toContain("Proxy-Connection");
});

test("several requests, with and without chunked bodies, use one connection", async () => {
  using proxy = await startProxy();
  await using web = await startWebServer();
  const url = `http://good.test:${web.port}`;
  const client = new RawClient(proxy.port);

  client.send(`POST ${url}/1 HTTP/1.1\r\nHost: good.test\r\nContent-Length: 3\r\n\r\nabc`);
  await client.until("POST /1 good.test abc\n");
  client.send(
    `DELETE ${url}/2 HTTP/1.1\r\nHost: good.test\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n`,
  );
  client.send("def\r\n0\r\n\r\n");
  await client.until("DELETE /2 good.test def\n");
  client.send(
    `GET http://also.test:${web.port}/3 HTTP/1.1\r\nHost: also.test\r\nConnection: close\r\n\r\n`,
  );

  expect(await client.ended()).toContain("GET /3 also.test \n");
});

test("CONNECT makes a tunnel in which either side may speak first and close first", async () => {
  using proxy = await startProxy();
  await using echo = await startServer((socket) => {
    socket.write("220 ready\n");
    let received = "";
    socket.on("data", (part) => {
      received += part;
    });
    socket.on("end", () => socket.end(`got ${received}`));
  });
  const client = new RawClient(proxy.port).send(`CONNECT good.test:${echo.port} HTTP/1.1\r\n\r\n`);

  expect(await client.until("220 ready\n")).toMatch(/^HTTP\/1\.1 200 /);
  client.socket.end("EHLO me\n");

  expect(await client.ended()).toContain("got EHLO me\n");
});

test("a large body passes a tunnel whole in both directions", async () => {
  using proxy = await startProxy();
  await using echo = await startServer((socket) => socket.pipe(socket));
  const client = new RawClient(proxy.port).send(`CONNECT good.test:${echo.port} HTTP/1.1\r\n\r\n`);
  const head = (await client.until("\r\n\r\n")).length;
  const body = Buffer.alloc(5_000_000, "\0abc");

  client.socket.end(body);

  expect((await client.ended()).length - head).toBe(body.length);
});

test.each([
  ["a denied name", "denied.test", 'denied.test is denied by "denied.test" = "deny"', "denylist"],
  ["an unlisted name", "unlisted.test", "unlisted.test is not an allowed domain", "allowlist"],
  ["an unlisted address", "127.0.0.1", "127.0.0.1 is not an allowed domain", "allowlist"],
  ["this machine", "localhost", "localhost is not an allowed domain", "allowlist"],
  ["a name for an address that is not listed", "rebound.test", `add "${otherAddress}"`, "policy"],
])("%s is refused with the reason, as URL and by CONNECT", async (_, host, reason, by) => {
  using proxy = await startProxy();
  await using web = await startWebServer();

  const plain = await exchange(
    proxy.port,
    `GET http://${host}:${web.port}/ HTTP/1.1\r\nHost: ${host}:${web.port}\r\nConnection: close\r\n\r\n`,
  );
  const tunnel = await exchange(proxy.port, `CONNECT ${host}:${web.port} HTTP/1.1\r\n\r\n`);

  for (const response of [plain, tunnel]) {
    expect(response).toMatch(/^HTTP\/1\.1 403 Blocked by network rules\r\n/);
    expect(response.toLowerCase()).toContain(`x-proxy-error: blocked-by-${by}\r\n`);
    expect(response).toContain(`Blocked by the network rules: `);
    expect(response).toContain(reason);
  }
  expect(web.connections).toBe(0);
});

test.each([
  ["another Host", "Host: denied.test\r\n"],
  ["another allowed Host", "Host: also.test\r\n"],
  ["two Hosts", "Host: good.test\r\nHost: denied.test\r\n"],
])("a request with %s than its target is refused", async (_, headers) => {
  using proxy = await startProxy();
  await using web = await startWebServer();

  const response = await exchange(
    proxy.port,
    `GET http://good.test:${web.port}/ HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`,
  );

  expect(response).toMatch(/^HTTP\/1\.1 40[03] /);
  expect(web.connections).toBe(0);
});

test("plain HTTP in a tunnel is checked request by request", async () => {
  using proxy = await startProxy();
  await using web = await startWebServer();
  const client = new RawClient(proxy.port).send(`CONNECT good.test:${web.port} HTTP/1.1\r\n\r\n`);
  await client.until("\r\n\r\n");

  client.send("GET /1 HTTP/1.1\r\nHost: good.test\r\n\r\n");
  await client.until("GET /1 good.test");
  client.send("GET /2 HTTP/1.1\r\nHost: denied.test\r\nConnection: close\r\n\r\n");

  const text = await client.ended();
  expect(text).toContain("the Host header denied.test is not the target good.test");
  expect(text).not.toContain("GET /2 denied.test");
});

test("a tunnel inside of a tunnel is refused", async () => {
  using proxy = await startProxy();
  await using web = await startWebServer();
  const client = new RawClient(proxy.port).send(`CONNECT good.test:${web.port} HTTP/1.1\r\n\r\n`);
  await client.until("\r\n\r\n");

  client.send("CONNECT good.test:1 HTTP/1.1\r\n\r\n");

  expect(await client.ended()).toContain("CONNECT inside of a tunnel is not supported.");
});

test("a change of protocol is passed on once the target agrees", async () => {
  using proxy = await startProxy();
  await using chat = await startServer((socket) => {
    socket.once("data", () => {
      socket.write(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: chat\r\nConnection: Upgrade\r\n\r\nhello ",
      );
      socket.pipe(socket);
    });
  });
  const client = new RawClient(proxy.port).send(
    `GET http://good.test:${chat.port}/ HTTP/1.1\r\nHost: good.test\r\nUpgrade: chat\r\nConnection: Upgrade\r\n\r\n`,
  );

  await client.until("hello ");
  client.send("you");

  expect(await client.until("hello you")).toMatch(/^HTTP\/1\.1 101 /);
  client.socket.destroy();
});

const socksName = (name: string, port: number) =>
  Buffer.from([5, 1, 0, 3, name.length, ...Buffer.from(name), port >> 8, port & 0xff]);

test.each([
  ["an allowed name", (port: number) => socksName("good.test", port), 0],
  ["a denied name", (port: number) => socksName("denied.test", port), 2],
  ["an address as a name", (port: number) => socksName("2130706433", port), 2],
  [
    "an unlisted address",
    (port: number) => Buffer.from([5, 1, 0, 1, 127, 0, 0, 1, port >> 8, port & 255]),
    2,
  ],
  [
    "IPv6 loopback",
    (port: number) => Buffer.from([5, 1, 0, 4, ...Array(15).fill(0), 1, port >> 8, port & 255]),
    2,
  ],
  ["a datagram relay", () => Buffer.from([5, 3, 0, 1, 0, 0, 0, 0, 0, 0]), 7],
  ["a listener", () => Buffer.from([5, 2, 0, 1, 0, 0, 0, 0, 0, 0]), 7],
  ["an unknown kind of address", () => Buffer.from([5, 1, 0, 9, 0, 0]), 8],
])("SOCKS5 with %s is answered by its code", async (_, request, code) => {
  using proxy = await startProxy();
  await using web = await startWebServer();
  const client = new RawClient(proxy.port).send(Buffer.from([5, 1, 0]));
  await client.until("\x05\0");

  client.send(request(web.port));

  await client.until(`\x05\0\x05${String.fromCharCode(code)}\0\x01`);
  if (code === 0) {
    client.send("GET /socks HTTP/1.1\r\nHost: good.test\r\n\r\n");
    await client.until("GET /socks good.test");
  }
  client.socket.destroy();
  expect(web.connections).toBe(code === 0 ? 2 : 0);
});

test("with a token only clients that send it are served", async () => {
  using proxy = await startProxy({ token: "secret" });
  await using web = await startWebServer();
  const get = (header: string) =>
    exchange(
      proxy.port,
      `GET http://good.test:${web.port}/ HTTP/1.1\r\nHost: good.test\r\nConnection: close\r\n${header}\r\n`,
    );
  const basic = (text: string) =>
    `Proxy-Authorization: Basic ${Buffer.from(text).toString("base64")}\r\n`;

  expect(await get("")).toMatch(/^HTTP\/1\.1 407 /);
  expect(await get(basic("quire:wrong"))).toMatch(/^HTTP\/1\.1 407 /);
  expect(await get(basic("quire:secret"))).toMatch(/^HTTP\/1\.1 200 /);
  expect(await exchange(proxy.port, "\x05\x01\0")).toBe("\x05\xff");
  const socks = new RawClient(proxy.port).send("\x05\x01\x02\x01\x05quire\x06secret");
  socks.send(socksName("good.test", web.port));
  expect(await socks.until("\x05\0\0\x01")).toContain("\x05\x02\x01\0\x05\0");
  socks.socket.destroy();
});

test("the limited mode permits only plain requests that read", async () => {
  using proxy = await startProxy({ rules: { ...rules, mode: "limited" } });
  await using web = await startWebServer();
  const request = (method: string) =>
    exchange(
      proxy.port,
      `${method} http://good.test:${web.port}/ HTTP/1.1\r\nHost: good.test\r\nConnection: close\r\n\r\n`,
    );

  expect(await request("GET")).toMatch(/^HTTP\/1\.1 200 /);
  expect(await request("POST")).toContain("POST is not permitted in limited mode");
  expect(await exchange(proxy.port, `CONNECT good.test:${web.port} HTTP/1.1\r\n\r\n`)).toContain(
    "403",
  );
  expect(await exchange(proxy.port, "\x05\x01\0")).toBe("");
});

test("SOCKS5 can be switched off", async () => {
  using proxy = await startProxy({ rules: { ...rules, socks5: false } });

  expect(await exchange(proxy.port, "\x05\x01\0")).toBe("");
});

test.each([
  ["garbage", "\x01\x02\x03\x04\r\n\r\n"],
  ["a request for the proxy itself", "GET / HTTP/1.0\r\nHost: good.test\r\n\r\n"],
  ["an https URL", "GET https://good.test/ HTTP/1.0\r\nHost: good.test\r\n\r\n"],
  [
    "a URL with credentials",
    "GET http://good.test@denied.test/ HTTP/1.0\r\nHost: good.test\r\n\r\n",
  ],
  ["CONNECT without a port", "CONNECT good.test HTTP/1.1\r\n\r\n"],
  ["CONNECT with credentials", "CONNECT good.test@denied.test:80 HTTP/1.1\r\n\r\n"],
  [
    "two lengths",
    "POST http://good.test/ HTTP/1.1\r\nHost: good.test\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
  ],
  ["huge headers", `GET http://good.test/ HTTP/1.1\r\nX: ${"x".repeat(100_000)}\r\n\r\n`],
])("%s gets an error of the client", async (_, text) => {
  using proxy = await startProxy();

  expect(await exchange(proxy.port, text)).toMatch(/^HTTP\/1\.1 4\d\d /);
});

test("a host that does not exist is reported as such", async () => {
  using proxy = await startProxy({ rules: { enabled: true, domains: { "*": "allow" } } });

  const response = await exchange(proxy.port, "CONNECT missing.test:443 HTTP/1.1\r\n\r\n");

  expect(response).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
  expect(response).toContain("missing.test could not be resolved");
});

test("a client that sends its headers too slowly is closed, however often it sends", async () => {
  using proxy = await startProxy({ headersTimeoutMs: 100 });
  const client = new RawClient(proxy.port).send("GET http://good.test/ HTTP/1.1\r\n");
  const timer = setInterval(() => client.send("X: x\r\n"), 20);

  expect(await client.ended()).toMatch(/^HTTP\/1\.1 408 /);
  clearInterval(timer);
});

test("closing the proxy ends all connections on both sides", async () => {
  const proxy = await startProxy();
  await using echo = await startServer((socket) => socket.pipe(socket));
  const clients = Array.from({ length: 20 }, () => new RawClient(proxy.port));
  for (const client of clients) {
    client.send(`CONNECT good.test:${echo.port} HTTP/1.1\r\n\r\n`);
    await client.until("\r\n\r\n");
  }

  proxy.proxy.close();

  await Promise.all(clients.map((client) => client.ended()));
  await vi.waitFor(() => expect(echo.open).toBe(0));
});

test("more connections than are served at once wait for their turn", async () => {
  using proxy = await startProxy();
  await using web = await startWebServer();
  const request = `GET http://good.test:${web.port}/ HTTP/1.1\r\nHost: good.test\r\nConnection: close\r\n\r\n`;
  const silent = Array.from({ length: 256 }, () => new RawClient(proxy.port));
  const waiting = Array.from({ length: 50 }, () => new RawClient(proxy.port).send(request));

  await expect.poll(() => silent.every(({ socket }) => socket.readyState === "open")).toBe(true);
  for (const client of silent) client.socket.destroy();

  for (const client of waiting) expect(await client.ended()).toMatch(/^HTTP\/1\.1 200 /);
});
