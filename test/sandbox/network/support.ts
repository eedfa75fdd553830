import { once } from "node:events";
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import type { NetworkRules } from "../../../src/protocol/permission-rules.js";
import type { ResolveHost } from "../../../src/sandbox/network/dial.js";
import { NetworkProxy, type ProxyOptions } from "../../../src/sandbox/network/proxy.js";

/** Address of the servers that the rules of tests allow, and of one that they do not. */
export const allowedAddress = "127.0.0.2";
export const otherAddress = "127.0.0.3";

/** Names of the tests: they are resolved to servers on this machine. */
export const hosts: Readonly<Record<string, readonly string[]>> = {
  "good.test": [allowedAddress],
  "also.test": [allowedAddress],
  "denied.test": [allowedAddress],
  "unlisted.test": [allowedAddress],
  "rebound.test": [otherAddress],
};

export const rules: NetworkRules = {
  enabled: true,
  domains: {
    "good.test": "allow",
    "also.test": "allow",
    "rebound.test": "allow",
    "denied.test": "deny",
    [allowedAddress]: "allow",
  },
};

export const resolveHost: ResolveHost = async (name) => {
  const addresses = hosts[name];
  if (addresses === undefined) throw new Error(`getaddrinfo ENOTFOUND ${name}`);
  return addresses;
};

/** Starts a proxy on a port of its own. */
export async function startProxy(options: Partial<ProxyOptions> = {}) {
  const proxy = new NetworkProxy({ rules, resolveHost, ...options });
  const server = createServer();
  proxy.serve(server);
  const port = await listen(server, "127.0.0.1");
  return {
    proxy,
    port,
    [Symbol.dispose]: () => proxy.close(),
  };
}

/** Starts a web server that answers with the request line, the Host header and the body. */
export async function startWebServer(address = allowedAddress) {
  const server = createHttpServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => {
      if (request.url === "/moved") response.writeHead(302, { Location: "http://denied.test/" });
      response.end(`${request.method} ${request.url} ${request.headers.host} ${body}\n`);
    });
  });
  return started(server, address);
}

/** Starts a server that handles each connection with `serve`. */
export async function startServer(serve: (socket: Socket) => void, address = allowedAddress) {
  return started(createServer({ allowHalfOpen: true }, serve), address);
}

async function started(server: Server | HttpServer, address: string) {
  let connections = 0;
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
  });
  const port = await listen(server, address);
  return {
    port,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

async function listen(server: Server | HttpServer, host: string): Promise<number> {
  server.listen(0, host);
  await once(server, "listening");
  const address: AddressInfo | string | null = server.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

/** A raw connection to a proxy. */
export class RawClient {
  readonly socket: Socket;
  readonly #parts: Buffer[] = [];
  #onChange = () => {};

  constructor(port: number) {
    this.socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    this.socket.on("error", () => {});
    this.socket.on("data", (part: Buffer) => {
      this.#parts.push(part);
      this.#onChange();
    });
    for (const event of ["end", "close"]) this.socket.on(event, () => this.#onChange());
  }

  get text(): string {
    return Buffer.concat(this.#parts).toString("latin1");
  }

  send(data: string | Uint8Array): this {
    this.socket.write(data);
    return this;
  }

  /** Waits until the received bytes contain a text. */
  async until(text: string): Promise<string> {
    while (!this.text.includes(text)) {
      if (this.#isEnded) {
        throw new Error(`Ended with ${JSON.stringify(this.text)} instead of ${text}`);
      }
      await this.#change();
    }
    return this.text;
  }

  /** Waits for the end of the connection; returns all that was received. */
  async ended(): Promise<string> {
    while (!this.#isEnded) await this.#change();
    this.socket.destroy();
    return this.text;
  }

  get #isEnded(): boolean {
    return this.socket.readableEnded || this.socket.closed;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#onChange = resolve;
    });
  }
}
