import { resolve } from "node:path";
import { CodexError } from "../../protocol/error.js";
import type { Event } from "../../protocol/types.js";
import type { Connection } from "../connection.js";
import type { Thread } from "../thread/thread.js";
import { askForApproval } from "./approval.js";
import type { V1Handlers } from "./handlers.js";

/** Creates the handlers of the methods that send messages and add listeners. */
export function createMessageHandlers(
  listenersOf: (connection: Connection) => ConversationListeners,
) {
  return {
    sendUserMessage: ({ conversationId, items, lastResponseId }, { server }, { trace }) => {
      const op = { type: "user_input", items, ...bookmarkOf(lastResponseId) } as const;
      server.threads.get(conversationId).submit(op, undefined, trace);
      return {};
    },
    sendUserTurn: ({ conversationId, items, ...settings }, { server }, { trace }) => {
      const thread = server.threads.get(conversationId);
      const { cwd, approvalPolicy, sandboxPolicy, model, effort, summary } = settings;
      const { lastResponseId } = settings;
      // In v1 a turn does not replace the running one: it joins it, unless it starts at a bookmark.
      if (thread.isBusy && lastResponseId === undefined) {
        thread.submit({ type: "user_input", items });
        return {};
      }
      const op = {
        type: "user_turn",
        items,
        cwd: resolve(server.parts.cwd, cwd),
        approval_policy: approvalPolicy,
        sandbox_policy: sandboxPolicy,
        model,
        ...(effort === undefined ? {} : { effort }),
        summary,
        ...bookmarkOf(lastResponseId),
      } as const;
      thread.submit(op, undefined, trace);
      return {};
    },
    interruptConversation: async ({ conversationId }, { server }) => ({
      abortReason: await server.threads.get(conversationId).interrupt(),
    }),
    addConversationListener: ({ conversationId }, connection, request) => {
      const { threads, parts } = connection.server;
      const thread = threads.get(conversationId);
      const subscriptionId = parts.newId();
      request.afterReply(() => listenersOf(connection).add(thread, subscriptionId));
      return { subscriptionId };
    },
    removeConversationListener: ({ subscriptionId }, connection) => {
      listenersOf(connection).remove(subscriptionId);
      return {};
    },
  } satisfies Partial<V1Handlers>;
}

function bookmarkOf(responseId: string | undefined): { last_response_id?: string } {
  return responseId === undefined ? {} : { last_response_id: responseId };
}

/** Subscriptions of a client that were added with `addConversationListener`. */
export class ConversationListeners {
  readonly #connection: Connection;
  readonly #isAppServer: boolean;
  /** Thread ids by subscription id. */
  #subscriptions = new Map<string, string>();
  /** Functions that end listening, by thread id. */
  #stops = new Map<string, () => void>();

  /** In the app-server, listeners can also receive the notifications of v2. */
  constructor(connection: Connection, { isAppServer }: { isAppServer: boolean }) {
    this.#connection = connection;
    this.#isAppServer = isAppServer;
    connection.peer.signal.addEventListener("abort", () => this.#close(), { once: true });
  }

  /** Adds a subscription. Several to one thread receive each event once. */
  add(thread: Thread, subscriptionId: string): void {
    this.#subscriptions.set(subscriptionId, thread.id);
    if (this.#usesFeed(thread)) this.#subscribe(thread);
    else this.#listen(thread);
  }

  /** Ends a subscription; throws if there is none. */
  remove(subscriptionId: string): void {
    const threadId = this.#subscriptions.get(subscriptionId);
    if (threadId === undefined) {
      throw new CodexError("not_found", `subscription not found: ${subscriptionId}`);
    }
    this.#subscriptions.delete(subscriptionId);
    if ([...this.#subscriptions.values()].includes(threadId)) return;
    this.#stops.get(threadId)?.();
    this.#stops.delete(threadId);
  }

  /** Returns true if the events come with the feed: 0.104 sends both, or the client has it. */
  #usesFeed(thread: Thread): boolean {
    if (!this.#isAppServer) return false;
    const { server, capabilities } = this.#connection;
    const { era } = server.parts;
    if (era.since["0.104"] && !era.since["0.166"]) return true;
    return this.#connection.isSubscribed(thread.id) && capabilities.legacyEvents === true;
  }

  #subscribe(thread: Thread): void {
    const connection = this.#connection;
    // A subscription that exists already outlives this one.
    const wasSubscribed = connection.isSubscribed(thread.id);
    this.#stops.set(thread.id, () => wasSubscribed || connection.unsubscribe(thread.id));
    connection.subscribe(thread, {
      after: 0,
      wantsLegacy: true,
      requestApproval: (event, from) => askForApproval(event, from, connection),
    });
  }

  #listen(thread: Thread): void {
    const { peer } = this.#connection;
    if (this.#stops.has(thread.id) || peer.signal.aborted) return;
    this.#stops.set(thread.id, () => undefined); // events arrive while subscribing
    const stop = thread.subscribe({
      onEvent: (event, from) => this.#onEvent(event, from),
      room: () => peer.room(),
      onEnd: (ended) => this.#stops.delete(ended.id),
    });
    const stopAgents = this.#connection.server.threads.followAgents(thread, (event, agent) =>
      this.#onQuestion(event, agent),
    );
    this.#stops.set(thread.id, () => {
      stop();
      stopAgents();
    });
  }

  #onEvent(event: Event, thread: Thread): void {
    const { peer, server } = this.#connection;
    const notification = server.notifications.of(event, thread.id);
    if (notification !== undefined) peer.notifyShared(notification);
    this.#onQuestion(event, thread);
  }

  #onQuestion(event: Event, thread: Thread): void {
    // A client that is subscribed in v2 receives the request there.
    if (!this.#connection.isSubscribed(thread.id)) askForApproval(event, thread, this.#connection);
  }

  #close(): void {
    for (const stop of this.#stops.values()) stop();
    this.#stops.clear();
    this.#subscriptions.clear();
  }
}
