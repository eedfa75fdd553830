import { isLoopback } from "./address.js";
import type { Channel } from "./channel.js";
import type { ConnectionInfo, ListenOptions } from "./listen.js";
import type { TokenCheck } from "./token.js";

/** What a request says about where it comes from. */
export interface Caller {
  host: string | undefined;
  origin: string | undefined;
  authorization: string | undefined;
  /** The `Sec-Fetch-Site` header, which every current browser sends and no page can change. */
  fetchSite: string | undefined;
}

/** Why a caller stays outside, as an HTTP status and a sentence. */
export interface Refusal {
  status: 401 | 403 | 503;
  reason: string;
}

/** Decides who may come in, and knows who is inside. */
export class Door {
  readonly tls: ListenOptions["tls"];
  readonly checkToken: TokenCheck | undefined;
  readonly maxConnections: number;
  #options: ListenOptions;
  #isHostAllowed: (host: string) => boolean;
  #channels = new Set<Channel>();

  /** `host` is where we listen; undefined for a socket of the file system. */
  constructor(options: ListenOptions, checkToken: TokenCheck | undefined, host?: string) {
    this.#options = options;
    this.tls = options.tls;
    this.checkToken = checkToken;
    this.maxConnections = options.maxConnections ?? 4096;
    this.#isHostAllowed = hostRule(options.allowHosts, host);
  }

  /** Undefined when the caller may come in. */
  refusalOf(caller: Caller): Refusal | undefined {
    const stranger = this.strangerOf(caller);
    if (stranger !== undefined) return stranger;
    if (this.#channels.size >= this.maxConnections) {
      return { status: 503, reason: "Too many connections" };
    }
    return this.#tokenRefusal(caller);
  }

  /** Like `refusalOf`, for a request that belongs to a connection that is inside already. */
  refusalInside(caller: Caller): Refusal | undefined {
    return this.strangerOf(caller) ?? this.#tokenRefusal(caller);
  }

  #tokenRefusal({ authorization }: Caller): Refusal | undefined {
    if (this.checkToken === undefined) return undefined;
    const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
    if (token !== undefined && this.checkToken(token)) return undefined;
    return { status: 401, reason: "A valid token is required: Authorization: Bearer TOKEN" };
  }

  /** What keeps out pages in a browser, which can reach local ports too. */
  strangerOf({ host, origin, fetchSite }: Omit<Caller, "authorization">): Refusal | undefined {
    if (origin !== undefined && !this.#options.allowOrigins?.includes(origin)) {
      return { status: 403, reason: "Requests with this Origin are not allowed" };
    }
    // A page of another site can leave out its Origin, but not this. `none` is the address bar.
    if (origin === undefined && fetchSite !== undefined && fetchSite !== "none") {
      return { status: 403, reason: "Requests of pages in a browser are not allowed" };
    }
    if (this.#isHostAllowed(host ?? "")) return undefined;
    return { status: 403, reason: "Requests for this Host are not allowed" };
  }

  /** Hands a connection over; `left` must be called when it is gone. */
  enter(channel: Channel, info: ConnectionInfo): void {
    this.#channels.add(channel);
    // Reading starts here, so that a client that leaves is noticed whether or not anyone listens.
    channel.incoming[Symbol.asyncIterator]();
    this.#options.onConnection(channel, info);
  }

  left(channel: Channel): void {
    this.#channels.delete(channel);
  }

  /** Closes what is still inside; a peer that does not let go is dropped. */
  async clear(): Promise<void> {
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
 * A page that had its name pointed at a local address still sends that name as Host, so a local
 * listener takes local names only. A remote one goes by many names and needs a token anyway.
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
