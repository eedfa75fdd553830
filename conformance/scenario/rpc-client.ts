import type { Era } from "../../src/compat/index.js";
import type { Environment } from "../../src/config/index.js";
import { createLocalParts } from "../../src/engine/index.js";
import {
  createPeer,
  type Notification,
  type Peer,
  type RpcRequest,
} from "../../src/jsonrpc/index.js";
import { serveAppServer } from "../../src/server/app-server.js";
import { serveMcp } from "../../src/server/mcp/serve.js";
import { Server } from "../../src/server/server.js";
import { linkedChannels } from "../../src/transport/index.js";

/** Protocol of the server: the older methods as an MCP server, or those of threads. */
export type RpcSurface = "mcp" | "app-server";

/** A request of the server that waits for the scenario to answer it. */
export interface AskedRequest {
  request: RpcRequest;
  answer(result: unknown): void;
}

/** A client of a real server in this process, and the messages it received. */
export class RpcClient {
  readonly notifications: Notification[] = [];
  readonly asked: AskedRequest[] = [];
  readonly #peer: Peer;
  readonly #close: () => Promise<void>;
  #wake = new Set<() => void>();
  #nextNotification = 0;
  #nextRequest = 0;

  constructor(place: { env: Environment; cwd: string; era: Era }, surface: RpcSurface) {
    const parts = createLocalParts({ ...place, era: place.era.name, surface: "json-rpc" });
    const server = new Server(parts);
    const [own, theirs] = linkedChannels();
    const isMcp = surface === "mcp";
    const serving = (isMcp ? serveMcp : serveAppServer)(theirs, server);
    this.#peer = createPeer(own, {
      writesVersion: isMcp,
      onRequest: (request) =>
        new Promise((answer) => {
          this.asked.push({ request, answer });
          this.#wakeWaiters();
        }),
      onNotification: (notification) => {
        this.notifications.push(notification);
        this.#wakeWaiters();
      },
    });
    this.#close = async () => {
      await this.#peer.close();
      await serving;
      await server.close();
      await parts.close();
    };
  }

  async initialize(): Promise<void> {
    const clientInfo = { name: "suite", title: "Suite", version: "1.0.0" };
    const params = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo };
    await this.call("initialize", params);
    this.#peer.notify("notifications/initialized");
  }

  /** Asks the server; rejects with its error, or when it takes too long. */
  call(method: string, params: unknown): Promise<unknown> {
    return this.#peer.request(method, params ?? undefined, AbortSignal.timeout(limitMs));
  }

  /** The next notification of a method that no earlier call has returned, if it is a wanted one. */
  notification(
    method: string,
    isWanted: (notification: Notification) => boolean = () => true,
  ): Promise<Notification> {
    return this.#until(`notification ${method}`, () => {
      for (let index = this.#nextNotification; index < this.notifications.length; index++) {
        const found = this.notifications[index];
        if (found?.method !== method || !isWanted(found)) continue;
        this.#nextNotification = index + 1;
        return found;
      }
      return undefined;
    });
  }

  /** The next request of the server. */
  request(method: string): Promise<AskedRequest> {
    return this.#until(`request ${method}`, () => {
      const found = this.asked[this.#nextRequest];
      if (found?.request.method !== method) return undefined;
      this.#nextRequest++;
      return found;
    });
  }

  close(): Promise<void> {
    return this.#close();
  }

  async #until<Found>(what: string, find: () => Found | undefined): Promise<Found> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#wakeWaiters();
    }, limitMs);
    try {
      for (;;) {
        const found = find();
        if (found !== undefined) return found;
        if (isLate) throw new Error(`waited for ${what} in vain`);
        await new Promise<void>((resolve) => this.#wake.add(resolve));
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #wakeWaiters(): void {
    for (const wake of this.#wake) wake();
    this.#wake.clear();
  }
}

const limitMs = 10_000;
