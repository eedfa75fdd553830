import type { Handlers, Peer } from "../../jsonrpc/index.js";
import { CodexError } from "../../protocol/error.js";
import type { InitializeCapabilities } from "../../protocol/rpc/v2/initialize.js";
import type { V2Methods, V2Notifications } from "../../protocol/rpc/v2/methods.generated.js";
import type { FeedMessage } from "../feed/index.js";
import type { Server } from "../server.js";
import type { Thread } from "../thread/index.js";
import { V1Connection } from "../v1/connection.js";
import { toEraFields } from "./era-fields.js";
import { Subscription, type SubscriptionOptions } from "./subscription.js";
import { assertThreadId } from "./thread-id.js";

/** Handlers of the v2 methods; `initialize` is handled before the others are loaded. */
export type V2Handlers = Handlers<Omit<V2Methods, "initialize">, V2Connection>;

/** One client of the app-server: it may use the methods of both versions. */
export class V2Connection extends V1Connection {
  /** How to stop hearing each thread. */
  #stops = new Map<string, () => void>();
  #capabilities: InitializeCapabilities = {};
  #unwanted: ReadonlySet<string> = new Set();

  constructor(server: Server, peer: Peer) {
    super(server, peer);
    server.addClient(this);
    peer.signal.addEventListener("abort", () => this.#stopAll(), { once: true });
  }

  /** What the client said of itself. */
  get capabilities(): InitializeCapabilities {
    return this.#capabilities;
  }

  set capabilities(capabilities: InitializeCapabilities) {
    this.#capabilities = capabilities;
    this.#unwanted = new Set(capabilities.optOutNotificationMethods ?? []);
  }

  /** A live thread by the id that a client gave; throws what is wrong with it. */
  thread(threadId: string): Thread {
    assertThreadId(threadId);
    const thread = this.server.threads.find(threadId);
    if (thread !== undefined) return thread;
    const data = { id: threadId };
    throw new CodexError("thread_not_found", `thread not found: ${threadId}`, { data });
  }

  /**
   * Hears a thread from now on, or from what came after a number; once, however often it is asked.
   *
   * Call it after the reply to the request that asks for it, so that the reply comes first.
   */
  subscribe(thread: Thread, { after }: { after?: number | undefined } = {}): void {
    const { legacyEvents } = this.server.parts.era.v2;
    const wantsLegacy = legacyEvents || this.#capabilities.legacyEvents === true;
    this.#listenTo(thread, { wantsLegacy, requests: "v2" }, after);
  }

  /** Whether the client hears a thread. */
  isSubscribed(threadId: string): boolean {
    return this.#stops.has(threadId);
  }

  /** Stops hearing a thread; false when the client did not hear it. */
  unsubscribe(threadId: string): boolean {
    const stop = this.#stops.get(threadId);
    this.#stops.delete(threadId);
    stop?.();
    return stop !== undefined;
  }

  /** Clients of the older methods hear what those of the era heard: both families, or one. */
  override listen(thread: Thread, subscriptionId: string): void {
    const hears = this.isSubscribed(thread.id);
    const { v1Notifications } = this.server.parts.era.v2;
    if (v1Notifications === "events" && !(hears && this.#capabilities.legacyEvents)) {
      super.listen(thread, subscriptionId);
      return;
    }
    // Who hears the events already must not hear them twice, nor lose them with this subscription.
    this.keep(subscriptionId, thread.id, () => hears || this.unsubscribe(thread.id));
    this.#listenTo(thread, { wantsLegacy: true, requests: "v1" }, 0);
  }

  /** A client that is subscribed in v2 is asked there, and not a second time. */
  protected override isAskedInV1(threadId: string): boolean {
    return !this.isSubscribed(threadId);
  }

  /** Sends a message of a thread, unless the client opted out of its method. */
  notifyShared(message: FeedMessage): void {
    if (this.#unwanted.has(message.plain.content.method)) return;
    const { sequenceNumbers } = this.#capabilities;
    this.peer.notifyShared(sequenceNumbers ? message.numbered : message.plain);
  }

  /** Sends a notification, unless the client opted out of its method. */
  notify<Method extends keyof V2Notifications>(
    method: Method,
    params: V2Notifications[Method],
  ): void {
    const { clock, era } = this.server.parts;
    if (!this.wants(method)) return;
    this.peer.notify(method, params, era.v2.emittedAt ? { emittedAtMs: clock.now() } : undefined);
  }

  /** Whether the client is one of v2 and receives a notification of this method. */
  wants(method: keyof V2Notifications): boolean {
    // A client that uses v1 without a handshake is none of v2.
    if (this.client === undefined) return false;
    return !this.#unwanted.has(method) && !this.server.parts.era.v2.hiddenNotifications.has(method);
  }

  /** A value of a shape without the fields that the shape did not have yet. */
  inEra<Value extends object>(shape: string, value: Value): Value {
    return toEraFields(value, this.server.parts.era.v2.lacks[shape]);
  }

  #listenTo(thread: Thread, options: SubscriptionOptions, after: number | undefined): void {
    const { id } = thread;
    if (this.#stops.has(id) || this.peer.signal.aborted) return;
    const feed = this.server.feeds.of(thread);
    const onEnd = () => this.#stops.delete(id);
    this.#stops.set(id, () => undefined); // for notifications while subscribing
    const subscription = new Subscription(this, feed, options, onEnd);
    this.#stops.set(id, feed.subscribe(subscription, after));
    this.server.skillWatch.look();
  }

  #stopAll(): void {
    for (const stop of this.#stops.values()) stop();
    this.#stops.clear();
  }
}
