import { codexHome } from "../config/index.js";
import type { LocalParts } from "../engine/index.js";
import type { Peer } from "../jsonrpc/index.js";
import { SharedNotification } from "../jsonrpc/index.js";
import { Threads } from "./threads/index.js";
import { EventNotifications } from "./v1/event-notification.js";
import { Logins } from "./v1/logins.js";

/** What all connections of a JSON-RPC server share. */
export class Server {
  readonly parts: LocalParts;
  readonly threads: Threads;
  readonly notifications: EventNotifications;
  readonly logins: Logins;
  readonly #peers = new Set<Peer>();

  constructor(parts: LocalParts) {
    this.parts = parts;
    this.threads = new Threads(parts);
    this.notifications = new EventNotifications(parts.era.events);
    this.logins = new Logins({
      parts,
      onComplete: (params) => this.broadcast("loginChatGptComplete", params),
      onAuthChange: (params) => this.broadcast("authStatusChange", params),
    });
  }

  /** The folder of the user's settings and conversations. */
  get home(): string {
    return codexHome(this.parts.env);
  }

  /** Counts a connection among those that are told of what concerns all, until it is lost. */
  add(peer: Peer): void {
    this.#peers.add(peer);
    peer.signal.addEventListener("abort", () => this.#peers.delete(peer), { once: true });
  }

  /** Tells all connections. */
  broadcast(method: string, params: unknown): void {
    const notification = new SharedNotification({ method, params });
    for (const peer of this.#peers) peer.notifyShared(notification);
  }

  /** Ends all threads and logins. */
  async close(): Promise<void> {
    this.logins.close();
    await this.threads.close();
  }
}
