import { type Wire, wireOf } from "../compat/index.js";
import type { ClientName, EngineParts } from "../engine/index.js";
import type { Handlers, Peer } from "../jsonrpc/index.js";
import { CodexError } from "../protocol/error.js";
import type { InitializeCapabilities } from "../protocol/rpc/v2/initialize.js";
import type { V2Methods, V2Notifications } from "../protocol/rpc/v2/methods.generated.js";
import type { FeedMessage } from "./feed/message.js";
import { Subscription, type SubscriptionOptions } from "./feed/subscription.js";
import type { Client, Server } from "./server.js";
import type { Thread } from "./thread/thread.js";

/** Handlers of the v2 methods; `initialize` is handled before the others are loaded. */
export type V2Handlers = Handlers<Omit<V2Methods, "initialize">, Connection>;

/** A JSON-RPC connection: the client's name and capabilities, and its subscriptions to threads. */
export class Connection implements Client {
  readonly server: Server;
  readonly peer: Peer;
  /** Name of the client; set by `initialize`. */
  client: ClientName | undefined;
  /** Form of messages in the era. */
  readonly #wire: Wire;
  #capabilities: InitializeCapabilities = {};
  #optedOut: ReadonlySet<string> = new Set();
  /** Functions that end the subscriptions, by thread id. */
  #subscriptions = new Map<string, () => void>();

  constructor(server: Server, peer: Peer) {
    this.server = server;
    this.peer = peer;
    this.#wire = wireOf(server.parts.era.name);
    peer.signal.addEventListener("abort", () => this.#unsubscribeAll(), { once: true });
  }

  /** Capabilities that the client sent with `initialize`. */
  get capabilities(): InitializeCapabilities {
    return this.#capabilities;
  }

  set capabilities(capabilities: InitializeCapabilities) {
    this.#capabilities = capabilities;
    if (capabilities.runningItems) this.server.feeds.trackRunning();
    this.#optedOut = new Set(capabilities.optOutNotificationMethods ?? []);
  }

  /** Value of the `user-agent` header for requests on behalf of the client. */
  userAgent(): Promise<string> {
    return this.server.parts.userAgent(this.client);
  }

  /** Engine parts that are specific to the threads of this client. */
  get engineParts(): Pick<EngineParts, "createModel"> {
    return { createModel: (config) => this.server.parts.createModel(config, this.client) };
  }

  /** Returns a live thread by the id that the client sent; throws if there is none. */
  thread(threadId: string): Thread {
    assertThreadId(threadId);
    const thread = this.server.threads.find(threadId);
    if (thread !== undefined) return thread;
    const data = { id: threadId };
    throw new CodexError("thread_not_found", `thread not found: ${threadId}`, { data });
  }

  /**
   * Subscribes to the notifications of a thread, from the message after a number or from now on.
   * Does nothing if the client is already subscribed.
   *
   * Call it after the reply to the request that subscribes, so that the reply is sent first.
   */
  subscribe(
    thread: Thread,
    { after, ...options }: { after?: number | undefined } & SubscriptionOptions = {},
  ): void {
    const { id } = thread;
    if (this.#subscriptions.has(id) || this.peer.signal.aborted) return;
    const feed = this.server.feeds.of(thread);
    const { legacyEvents } = this.server.parts.era.v2;
    const wantsLegacy = legacyEvents || this.#capabilities.legacyEvents === true;
    const onEnd = () => this.#subscriptions.delete(id);
    this.#subscriptions.set(id, () => undefined); // notifications arrive while subscribing
    const subscription = new Subscription(this, feed, { wantsLegacy, ...options }, onEnd);
    this.#subscriptions.set(id, feed.subscribe(subscription, after));
    this.server.skillWatch.look();
    for (const agent of this.server.threads.agentsOf(id)) this.#followAgent(agent);
  }

  /** Subscribes to a helper agent that was at work before the client came. */
  #followAgent(agent: Thread): void {
    if (this.isSubscribed(agent.id)) return;
    this.subscribe(agent);
    const { status } = this.server.feeds.of(agent);
    this.notify("thread/status/changed", { threadId: agent.id, status });
  }

  /** Sends the state of the running turn of a thread, if the client has asked for it. */
  notifyRunning(thread: Thread): void {
    if (!this.#capabilities.runningItems) return;
    for (const { method, params } of this.server.feeds.of(thread).runningState()) {
      this.notify(method, params);
    }
  }

  isSubscribed(threadId: string): boolean {
    return this.#subscriptions.has(threadId);
  }

  /** Ends the subscription to a thread and its helper agents; returns false if there was none. */
  unsubscribe(threadId: string): boolean {
    for (const { id } of this.server.threads.agentsOf(threadId)) this.unsubscribe(id);
    const stop = this.#subscriptions.get(threadId);
    this.#subscriptions.delete(threadId);
    stop?.();
    return stop !== undefined;
  }

  /** Sends a notification, unless the client opted out of its method. */
  notify<Method extends keyof V2Notifications>(
    method: Method,
    params: V2Notifications[Method],
  ): void {
    const { clock, era } = this.server.parts;
    if (!this.wants(method)) return;
    const encoded = this.#wire.params(method, params);
    if (encoded === undefined) return;
    this.peer.notify(
      method,
      encoded,
      era.since["0.166"] ? { emittedAtMs: clock.now() } : undefined,
    );
  }

  /** Sends a message of a feed, unless the client opted out of its method. */
  notifyShared(message: FeedMessage): void {
    if (this.#optedOut.has(message.plain.content.method)) return;
    const { sequenceNumbers } = this.#capabilities;
    this.peer.notifyShared(sequenceNumbers ? message.numbered : message.plain);
  }

  /** Returns true if the client has initialized and receives notifications of a method. */
  wants(method: keyof V2Notifications): boolean {
    // Clients of v1 need not initialize, and receive nothing of v2.
    if (this.client === undefined) return false;
    return !this.#optedOut.has(method) && this.#wire.has(method);
  }

  #unsubscribeAll(): void {
    for (const stop of this.#subscriptions.values()) stop();
    this.#subscriptions.clear();
  }
}

/** Throws if an id of a client is not a UUID, with the messages that clients know. */
export function assertThreadId(id: string, name = "thread id"): void {
  const problem = problemOf(id);
  if (problem === undefined) return;
  throw new CodexError("invalid_request", `invalid ${name}: ${problem}`);
}

function problemOf(id: string): string | undefined {
  const text = id.replace(/^urn:uuid:/i, "").replace(/^\{(.*)\}$/, "$1");
  if (/^[0-9a-f]{32}$/i.test(text) || uuid.test(text)) return undefined;
  const wrong = text.search(/[^0-9a-f-]/i);
  if (wrong >= 0) {
    const character = String.fromCodePoint(text.codePointAt(wrong) ?? 0);
    return `invalid character: expected an optional prefix of \`urn:uuid:\` followed by [0-9a-fA-F-], found \`${character}\` at ${wrong + 1}`;
  }
  const groups = text.split("-");
  if (groups.length === 1) {
    return `invalid length: expected length 32 for simple format, found ${text.length}`;
  }
  if (groups.length !== 5) return `invalid group count: expected 5, found ${groups.length}`;
  const index = groups.findIndex((group, at) => group.length !== groupLengths[at]);
  return `invalid group length in group ${index}: expected ${groupLengths[index]}, found ${groups[index]?.length}`;
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const groupLengths = [8, 4, 4, 4, 12];
