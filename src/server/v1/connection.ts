import type { ClientName, EngineParts } from "../../engine/index.js";
import type { Handlers, Peer } from "../../jsonrpc/index.js";
import { CodexError } from "../../protocol/error.js";
import type { V1Methods, V1Notifications } from "../../protocol/rpc/v1/methods.generated.js";
import type { Event } from "../../protocol/types.js";
import type { Server } from "../server.js";
import type { Thread } from "../thread/index.js";
import { askForApproval } from "./approvals.js";

/** Handlers of the v1 methods; `initialize` is handled by the surface that serves them. */
export type V1Handlers = Handlers<Omit<V1Methods, "initialize">, V1Connection>;

/** One client of the v1 methods: who it is and what it listens to. */
export class V1Connection {
  readonly server: Server;
  readonly peer: Peer;
  /** Known once the client has introduced itself. */
  client: ClientName | undefined;
  #subscriptions = new Map<string, string>();
  #stops = new Map<string, () => void>();

  constructor(server: Server, peer: Peer) {
    this.server = server;
    this.peer = peer;
    peer.signal.addEventListener("abort", () => this.#stopAll(), { once: true });
  }

  /** What we call ourselves on behalf of the client. */
  userAgent(): Promise<string> {
    return this.server.parts.userAgent(this.client);
  }

  /** Sends a v1 notification to the client. */
  notifyV1<Method extends keyof V1Notifications>(
    method: Method,
    params: V1Notifications[Method],
  ): void {
    this.peer.notify(method, params);
  }

  /** What of the engine is made anew for this client's threads. */
  get engineParts(): Pick<EngineParts, "createModel"> {
    return { createModel: (config) => this.server.parts.createModel(config, this.client) };
  }

  /** Subscribes to a thread; several subscriptions to one thread hear each event once. */
  listen(thread: Thread, subscriptionId: string): void {
    this.#subscriptions.set(subscriptionId, thread.id);
    if (this.#stops.has(thread.id) || this.peer.signal.aborted) return;
    const listener = {
      onEvent: (event: Event, from: Thread) => this.#tell(event, from),
      room: () => this.peer.room(),
      onEnd: (ended: Thread) => this.#stops.delete(ended.id),
    };
    this.#stops.set(thread.id, () => undefined); // for what is told while subscribing
    this.#stops.set(thread.id, thread.subscribe(listener));
  }

  /** Keeps a subscription whose listening is done elsewhere; `stop` ends that with the last one. */
  protected keep(subscriptionId: string, threadId: string, stop: () => void): void {
    this.#subscriptions.set(subscriptionId, threadId);
    this.#stops.set(threadId, stop);
  }

  /** Ends a subscription; throws when there is none. */
  unlisten(subscriptionId: string): void {
    const threadId = this.#subscriptions.get(subscriptionId);
    if (threadId === undefined) {
      throw new CodexError("not_found", `subscription not found: ${subscriptionId}`);
    }
    this.#subscriptions.delete(subscriptionId);
    if ([...this.#subscriptions.values()].includes(threadId)) return;
    this.#stops.get(threadId)?.();
    this.#stops.delete(threadId);
  }

  /** Whether approvals of a thread are requested by the v1 methods. */
  protected isAskedInV1(_threadId: string): boolean {
    return true;
  }

  #tell(event: Event, thread: Thread): void {
    const notification = this.server.notifications.of(event, thread.id);
    if (notification !== undefined) this.peer.notifyShared(notification);
    if (this.isAskedInV1(thread.id)) askForApproval(event, thread, this);
  }

  #stopAll(): void {
    for (const stop of this.#stops.values()) stop();
    this.#stops.clear();
    this.#subscriptions.clear();
  }
}
