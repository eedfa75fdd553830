import { isLoopback } from "./address.js";
import type { Channel } from "./channel.js";
import type { ConnectionInfo, ListenOptions } from "./listener.js";
import type { TokenCheck } from "./token.js";

/** Headers of a request that identify where it comes from. */
export interface Caller {
  host: string | undefined;
  origin: string | undefined;
  authorization: string | undefined;
  /** The `Sec-Fetch-Site` header, which every current browser sends and no page can change. */
  fetchSite: string | undefined;
}

/** HTTP status and reason for refusing a client. */
export interface Refusal {
  status: 401 | 403 | 404 | 503;
  reason: string;
}

/** Decides which clients may connect, and tracks those that are connected. */
export class AccessGuard {
  readonly tls: ListenOptions["tls"];
  readonly checkToken: TokenCheck | undefined;
  readonly maxConnections: number;
  /** See `ListenOptions`. */
  readonly metrics: ListenOptions["metrics"];
  #options: ListenOptions;
  #isHostAllowed: (host: string) => boolean;
  #channels = new Set<Channel>();

  /** `host` is the address of the listener; undefined for a Unix socket. */
  constructor(options: ListenOptions, checkToken: TokenCheck | undefined, host?: string) {
    this.#options = options;
    this.tls = options.tls;
    this.checkToken = checkToken;
    this.maxConnections = options.maxConnections ?? 4096;
    this.metrics = options.metrics;
    this.#isHostAllowed = hostRule(options.allowHosts, host);
  }

  /** Returns true if the server takes requests. */
  isReady(): boolean {
    return this.#options.signal?.aborted !== true && this.#options.isReady?.() !== false;
  }

  /** Returns undefined if the caller may connect. */
  refusalOf(caller: Caller): Refusal | undefined {
    const refusal = this.pageRefusalOf(caller);
    return refusal ?? this.fullRefusal() ?? this.#tokenRefusal(caller);
  }

  /** Returns the refusal of any client if there are too many connections. */
  fullRefusal(): Refusal | undefined {
    if (this.#channels.size < this.maxConnections) return undefined;
    return { status: 503, reason: "Too many connections" };
  }

  /** Like `refusalOf`, for a request that belongs to an established connection. */
  refusalOfConnected(caller: Caller): Refusal | undefined {
    return this.pageRefusalOf(caller) ?? this.#tokenRefusal(caller);
  }

  #tokenRefusal({ authorization }: Caller): Refusal | undefined {
    if (this.checkToken === undefined) return undefined;
    const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
    if (token !== undefined && this.checkToken(token)) return undefined;
    return { status: 401, reason: "A valid token is required: Authorization: Bearer TOKEN" };
  }

  /** Refuses pages in a browser, which can reach local ports too. */
  pageRefusalOf({ host, origin, fetchSite }: Omit<Caller, "authorization">): Refusal | undefined {
    if (origin !== undefined && !this.#options.allowOrigins?.includes(origin)) {
      return { status: 403, reason: "Requests with this Origin are not allowed" };
    }
    // A page of another site can omit its Origin, but not this header. `none` is the address bar.
    if (origin === undefined && fetchSite !== undefined && fetchSite !== "none") {
      return { status: 403, reason: "Requests of pages in a browser are not allowed" };
    }
    if (this.#isHostAllowed(host ?? "")) return undefined;
    return { status: 403, reason: "Requests for this Host are not allowed" };
  }

  /** Registers a connection and passes it on; the caller must call `forget` when it closes. */
  admit(channel: Channel, info: ConnectionInfo): void {
    this.#channels.add(channel);
    // Starts reading, so that a disconnect is noticed even if the channel is not read.
    channel.incoming[Symbol.asyncIterator]();
    this.#options.onConnection(channel, info);
  }

  forget(channel: Channel): void {
    this.#channels.delete(channel);
  }

  /** Closes all connections; a peer that does not close in time is dropped. */
  async closeAll(): Promise<void> {
    const channels = [...this.#channels];
    const closed = Promise.all(channels.map((channel) => channel.close()));
    const timer = setTimeout(() => {
      for (const channel of channels) channel.destroy();
    }, closeGraceMs);
    await closed;
    clearTimeout(timer);
  }
}

/**
 * Builds the check of the Host header. A page whose name was rebound to a local address still sends
 * that name, so a local listener accepts only local names. A remote one has many names and requires
 * a token anyway.
 */
function hostRule(
  allowed: readonly string[] | undefined,
  listening: string | undefined,
): (host: string) => boolean {
  if (listening === undefined) return () => true;
  if (!isLoopback(listening)) {
    return (host) => allowed === undefined || allowed.includes(withoutPort(host));
  }
  return (host) => isLoopback(withoutPort(host)) || (allowed ?? []).includes(withoutPort(host));
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, "").toLowerCase();
}

const closeGraceMs = 1000;
