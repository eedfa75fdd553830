import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { proxyFor } from "../../src/model/http-route.js";
import { answerWith, completed, startServer } from "../support/http-server.js";
import { askAll, clientOf, promptOf } from "../support/model.js";

/** Starts a proxy that resolves every name to this machine. */
async function startProxy(): Promise<AsyncDisposable & { url: string; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const server = createServer((incoming, outgoing) => {
    seen.push(incoming);
    const { port, pathname } = new URL(incoming.url ?? "");
    const { method, headers } = incoming;
    const onward = request(
      { host: "127.0.0.1", port, path: pathname, method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(outgoing);
      },
    );
    incoming.pipe(onward);
  });
  server.on("connect", (incoming, socket) => {
    seen.push(incoming);
    const port = Number(incoming.url?.split(":")[1]);
    if (port === 1) return socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    const onward = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(socket);
      socket.pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
  });
  return { url: await listen(server), seen, [Symbol.asyncDispose]: () => close(server) };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function close(server: Server & { closeAllConnections?(): void }): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections?.();
  });
}

const done = [{ type: "accepted" }, { type: "completed", responseId: "r" }];

describe("a plain request", () => {
  test("goes to the proxy with its whole URL, and with the user's name", async () => {
    await using server = await startServer((_, outgoing) => answerWith(outgoing, completed));
    await using proxy = await startProxy();
    const env = { HTTP_PROXY: `http://me:p%40ss@${proxy.url}` };
    using client = clientOf({ base_url: `http://model.example:${server.port}/v1` }, { env });

    expect(await askAll(client)).toMatchObject(done);

    const [seen] = proxy.seen;
    expect(seen?.url).toBe(`http://model.example:${server.port}/v1/responses`);
    expect(seen?.headers).toMatchObject({
      host: `model.example:${server.port}`,
      "proxy-authorization": `Basic ${Buffer.from("me:p@ss").toString("base64")}`,
    });
    expect(server.requests).toHaveLength(1);
  });

  test("to this machine never goes through a proxy", async () => {
    await using server = await startServer((_, outgoing) => answerWith(outgoing, completed));
    using client = clientOf(
      { base_url: server.url },
      { env: { HTTP_PROXY: "http://127.0.0.1:1" } },
    );

    expect(await askAll(client)).toMatchObject(done);
  });

  test("through a proxy with an invalid address is a failure that names the variable", async () => {
    const env = { http_proxy: "socks5://127.0.0.1:1" };
    using client = clientOf({ base_url: "http://model.example/v1" }, { env });

    expect(await askAll(client)).toMatchObject([
      {
        failure: {
          message: expect.stringContaining("HTTP_PROXY must be an http:// or https:// URL"),
        },
      },
    ]);
  });
});

// A certificate is created for each run, to keep keys out of the repository.
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

describe.skipIf(!hasOpenssl)("a secure request", () => {
  let folder: string;
  let cert: string;
  let server: Server;
  let port: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "quire-tls-"));
    cert = join(folder, "cert.pem");
    const key = join(folder, "key.pem");
    const subject = ["-subj", "/CN=model.example", "-addext", "subjectAltName=DNS:model.example"];
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    const files = ["-keyout", key, "-out", cert, "-days", "2"];
    execFileSync("openssl", ["req", "-x509", ...curve, ...files, ...subject], { stdio: "ignore" });
    const pair = { key: readFileSync(key), cert: readFileSync(cert) };
    server = createSecureServer(pair, (incoming, outgoing) => {
      incoming.resume().on("end", () => answerWith(outgoing, completed));
    });
    port = (await listen(server)).split(":")[1] ?? "";
  });

  afterAll(async () => {
    await close(server);
    rmSync(folder, { recursive: true });
  });

  test("goes through a tunnel, which is kept, and trusts the certificates named", async () => {
    await using proxy = await startProxy();
    const env = { https_proxy: proxy.url, SSL_CERT_FILE: cert };
    using client = clientOf({ base_url: `https://model.example:${port}/v1` }, { env });

    expect(await askAll(client)).toMatchObject(done);
    expect(await askAll(client)).toMatchObject(done);

    expect(proxy.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `CONNECT model.example:${port}`,
    ]);
  });

  test("to a server with an untrusted certificate is a failure", async () => {
    await using proxy = await startProxy();
    const env = { HTTPS_PROXY: `http://${proxy.url}` };
    using client = clientOf({ base_url: `https://model.example:${port}/v1` }, { env });

    expect(await askAll(client)).toMatchObject([
      {
        failure: {
          kind: "connection",
          message: expect.stringContaining("self-signed certificate"),
        },
      },
    ]);
  });

  test("through a proxy that refuses the tunnel is a failure with the reason", async () => {
    await using proxy = await startProxy();
    const env = { HTTPS_PROXY: `http://${proxy.url}` };
    using client = clientOf({ base_url: "https://model.example:1/v1" }, { env });

    expect(await askAll(client)).toMatchObject([
      {
        failure: {
          message: expect.stringContaining("refused a tunnel to model.example:1: 403 Forbidden"),
        },
      },
    ]);
  });

  test("is given up at once though the proxy never answers", async () => {
    const silent = createServer();
    const abort = new AbortController();
    silent.on("connect", (_, socket) => {
      socket.on("error", () => undefined).on("end", () => socket.end());
      socket.resume();
      abort.abort("stop");
    });
    const env = { HTTPS_PROXY: await listen(silent) };
    using client = clientOf({ base_url: "https://model.example/v1" }, { env });

    await expect(askAll(client, promptOf(), abort.signal)).rejects.toBe("stop");
    client.close();
    await close(silent);
  });

  test("needs the file that SSL_CERT_FILE names", async () => {
    const env = { SSL_CERT_FILE: join(folder, "missing.pem") };
    using client = clientOf({ base_url: `https://127.0.0.1:${port}/v1` }, { env });

    expect(await askAll(client)).toMatchObject([
      {
        failure: {
          message: expect.stringContaining("cannot read the file in SSL_CERT_FILE"),
        },
      },
    ]);
  });
});

test.each([
  ["https://api.example.com/v1", { HTTPS_PROXY: "http://p:8080" }, "http://p:8080/"],
  ["https://api.example.com/v1", { HTTP_PROXY: "http://p:8080" }, undefined],
  ["http://api.example.com/v1", { ALL_PROXY: "p:8080" }, "http://p:8080/"],
  ["https://x.com/", { https_proxy: "http://small", HTTPS_PROXY: "http://large" }, "http://small/"],
  ["https://api.example.com/", { HTTPS_PROXY: "http://p", NO_PROXY: "example.com" }, undefined],
  [
    "https://api.example.com/",
    { HTTPS_PROXY: "http://p", NO_PROXY: "a.b, .example.com" },
    undefined,
  ],
  ["https://api.example.com/", { HTTPS_PROXY: "http://p", no_proxy: "*" }, undefined],
  ["https://myexample.com/", { HTTPS_PROXY: "http://p", NO_PROXY: "example.com" }, "http://p/"],
  ["https://x.com:8443/", { HTTPS_PROXY: "http://p", NO_PROXY: "x.com:8443" }, undefined],
  ["https://x.com/", { HTTPS_PROXY: "http://p", NO_PROXY: "x.com:8443" }, "http://p/"],
  ["http://localhost:11434/v1", { HTTP_PROXY: "http://p" }, undefined],
  ["http://[::1]:11434/v1", { HTTP_PROXY: "http://p" }, undefined],
  ["https://x.com/", { HTTPS_PROXY: " " }, undefined],
])("to %s with %j goes by %s", (url, env, expected) => {
  expect(proxyFor(new URL(url), env)?.href).toBe(expected);
});
