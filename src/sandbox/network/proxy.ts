import { timingSafeEqual } from "node:crypto";
import type { Server, Socket } from "node:net";
import type { NetworkRules } from "../../protocol/permission-rules.js";
import { dial, type NoConnection, type ResolveHost, type Target } from "./dial.js";
import { createHttpProxy } from "./http.js";
import { serveSocks } from "./socks.js";
import { joinTunnel, nextPart } from "./tunnel.js";

/** Options for `NetworkProxy`. */
export interface ProxyOptions {
  rules: NetworkRules;
  /** Resolves names; default: the resolver of the system. */
  resolveHost?: ResolveHost | undefined;
  /** Password that clients must use with the user `quire`; absent: none is asked for. */
  token?: string | undefined;
  /** Time for the headers of a request; default: 15 s. */
  headersTimeoutMs?: number;
}

/** User name of the credentials, if the proxy asks for them. */
export const proxyUser = "quire";

/**
 * A proxy that connects commands with the hosts that the rules allow: HTTP and SOCKS5 on one port.
 *
 * It serves a limited number of connections at once; others wait, and beyond that are closed.
 */
export class NetworkProxy {
  readonly #options: ProxyOptions;
  readonly #http: ReturnType<typeof createHttpProxy>;
  /** Connections of commands and to their targets. */
  readonly #open = new Set<Socket>();
  readonly #waiting: Socket[] = [];
  #server: Server | undefined;
  #active = 0;
  #isClosed = false;

  constructor(options: ProxyOptions) {
    this.#options = options;
    const { token } = options;
    const basic = `Basic ${Buffer.from(`${proxyUser}:${token}`).toString("base64")}`;
    this.#http = createHttpProxy({
      headersTimeoutMs: options.headersTimeoutMs,
      readsOnly: options.rules.mode === "limited",
      isAuthorized: token === undefined ? undefined : (header) => isEqual(header ?? "", basic),
      connect: (target) => this.#connect(target),
      join: (client, upstream, target) => this.#join(client, upstream, target),
    });
  }

  /** Accepts connections on a listening server, which is closed with the proxy. */
  serve(server: Server): void {
    if (this.#isClosed) return void server.close();
    this.#server = server;
    // The server may come from another process, where these options could not be set for us.
    Object.assign(server, { allowHalfOpen: true, pauseOnConnect: true });
    server.on("connection", (socket) => this.#accept(socket));
    server.on("error", () => {});
  }

  /** Closes the server and all connections. */
  close(): void {
    this.#isClosed = true;
    this.#server?.close();
    this.#http.server.close();
    for (const socket of this.#open) socket.destroy();
  }

  #accept(client: Socket): void {
    if (this.#isClosed || this.#waiting.length >= mostWaiting) return void client.destroy();
    this.#track(client);
    this.#waiting.push(client);
    this.#serveNext();
  }

  #serveNext(): void {
    while (this.#active < mostActive) {
      const client = this.#waiting.shift();
      if (client === undefined) return;
      if (client.destroyed) continue;
      this.#active++;
      client.once("close", () => {
        this.#active--;
        this.#serveNext();
      });
      void this.#serveClient(client);
    }
  }

  async #serveClient(client: Socket): Promise<void> {
    const first = await nextPart(client, longestSilence);
    if (first === undefined) return void client.destroy();
    client.unshift(first);
    if (first[0] !== socksVersion) {
      this.#http.server.emit("connection", client);
      return;
    }
    const { rules, token } = this.#options;
    if (rules.socks5 === false || rules.mode === "limited") return void client.destroy();
    await serveSocks(client, {
      isAuthorized:
        token === undefined
          ? undefined
          : (user, password) => user === proxyUser && isEqual(password, token),
      connect: (target) => this.#connect(target),
      join: (socket, upstream, target) => this.#join(socket, upstream, target),
    });
  }

  async #connect(target: Target): Promise<Socket | NoConnection> {
    const upstream = await dial(this.#options.rules, target, this.#options.resolveHost);
    if ("status" in upstream) return upstream;
    this.#track(upstream);
    if (this.#isClosed) upstream.destroy();
    return upstream;
  }

  #join(client: Socket, upstream: Socket, target: Target): void {
    const { rules } = this.#options;
    const onHttp = (socket: Socket) => this.#http.serveTunnel(socket, target);
    void joinTunnel({ rules, target, client, upstream, onHttp });
  }

  #track(socket: Socket): void {
    this.#open.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => this.#open.delete(socket));
  }
}

const socksVersion = 5;
/** Each active connection uses two descriptors of this process. */
const mostActive = 256;
const mostWaiting = 1_024;
const longestSilence = 30_000;

function isEqual(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
