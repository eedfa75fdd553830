import { type Era, type Wire, wireOf } from "../../compat/index.js";
import { SharedNotification } from "../../jsonrpc/index.js";
import type { Clock } from "../../lib/clock.js";
import type { V2Notifications } from "../../protocol/rpc/v2/methods.generated.js";
import type { ThreadStatus } from "../../protocol/rpc/v2/status.js";
import type { Turn } from "../../protocol/rpc/v2/turn.js";
import type { Event, EventMsg } from "../../protocol/types.js";
import { RequestDispatcher, toServerRequest } from "../requests/dispatcher.js";
import type { ServerRequest } from "../requests/request.js";
import type { RemoteEngine } from "../thread/remote-engine.js";
import { Thread } from "../thread/thread.js";
import { ClientMessages } from "./client-messages.js";
import { type EventNotifications, patchOutput, withItem } from "./legacy.js";
import { Broadcast, DeltaWriter, type FeedMessage, isDelta, type Subscriber } from "./message.js";
import { projectEvent } from "./project.js";
import { ThreadProjection } from "./projection.js";
import { RunningItems, type RunningNotification } from "./running-items.js";
import { notifyTurnPromised } from "./turn.js";

interface FeedParts {
  era: Era;
  clock: Clock;
  notifications: EventNotifications;
}

/**
 * Notifications of one thread: serialized once for all subscribers, numbered, and buffered for a
 * while for clients that reconnect.
 *
 * It listens to the thread from its creation until the thread ends.
 */
export class ThreadFeed {
  readonly messages = new ClientMessages();
  #thread: Thread;
  #parts: FeedParts;
  /** Form of messages in the era. */
  #wire: Wire;
  #projection: ThreadProjection;
  readonly #broadcast = new Broadcast();
  #deltas = new DeltaWriter();
  #requests: RequestDispatcher;
  #running: RunningItems | undefined;
  #beforeEnd: (() => void)[] = [];
  #beforeFirstEvent = new Map<string, (msg: EventMsg) => void>();

  /** Starts to collect the notifications of a connection. */
  constructor(thread: Thread, parts: FeedParts, onEnd: () => void) {
    this.#thread = thread;
    this.#parts = parts;
    this.#wire = wireOf(parts.era.name);
    const { era } = parts;
    this.#projection = new ThreadProjection({
      threadId: thread.id,
      era,
      clock: this.#clock,
      messages: this.messages,
      withdraw: (turnId) => this.#withdraw(turnId),
      notify: (method, params) => this.notify(method, params),
    });
    this.#requests = new RequestDispatcher(this.#projection);
    thread.subscribe({
      onEvent: (event) => this.#onEvent(event),
      room: () => this.#broadcast.room(),
      onReplaced: (replacement) => {
        this.#thread = replacement;
      },
      onEnd: () => {
        onEnd();
        this.#close();
      },
    });
  }

  /** The live thread; another one after the conversation was resumed again. */
  get thread(): Thread {
    return this.#thread;
  }

  /** The status that was last reported. */
  get status(): ThreadStatus {
    return this.#projection.status;
  }

  get hasSubscribers(): boolean {
    return this.#broadcast.subscribers.size > 0;
  }

  /** Adds a subscriber. It first receives the messages after a number, then the pending requests. */
  subscribe(subscriber: Subscriber, after = this.#broadcast.seq): () => void {
    const { remote } = this.#thread;
    const { seq, lost } = this.#broadcast;
    if (remote !== undefined && after < lost) {
      return this.#subscribeWithReplay(subscriber, after, remote);
    }
    const isUnknown = after > seq && remote === undefined;
    if (isUnknown) subscriber.onGap({ after, seq: lost });
    else this.#broadcast.repeat(subscriber, after);
    return this.#add(subscriber);
  }

  #add(subscriber: Subscriber): () => void {
    const remove = this.#broadcast.add(subscriber);
    this.#requests.sendPending(subscriber);
    return () => {
      if (remove()) this.#requests.onUnsubscribe(this.#thread, this.#broadcast.subscribers);
    };
  }

  /** Adds a subscriber once it has received what it missed, from the log of the thread. */
  #subscribeWithReplay(subscriber: Subscriber, after: number, remote: RemoteEngine): () => void {
    const { wantsLegacy } = subscriber;
    const later: FeedMessage[] = [];
    const silent = { wantsLegacy, request() {}, onGap() {} };
    let stop = this.#add({ ...silent, notify: (message) => void later.push(message) });
    const missed: Subscriber = {
      ...silent,
      wantsLegacy: false,
      notify: (message) => void (message.seq > after && subscriber.notify(message)),
    };
    const replayed = remote.replay(this.#broadcast.seq, (engine) => {
      const { configured, origin } = this.#thread;
      const past = new Thread(configured, engine, origin, engine);
      new ThreadFeed(past, this.#parts, () => {}).subscribe(missed);
      return past;
    });
    let isOver = false;
    void replayed.then(
      () => {
        if (isOver) return;
        stop();
        for (const message of later) subscriber.notify(message);
        stop = this.#add(subscriber);
      },
      () => subscriber.onGap({ after, seq: this.#broadcast.seq }),
    );
    return () => {
      isOver = true;
      stop();
    };
  }

  /** Notifies all subscribers. */
  notify<Method extends keyof V2Notifications>(
    method: Method,
    params: V2Notifications[Method],
  ): void {
    const { era } = this.#parts;
    if (!this.#wire.has(method)) return;
    this.#running?.apply(method, params);
    const members = era.since["0.166"] ? { emittedAtMs: this.#clock.now() } : undefined;
    if (isDelta(params)) {
      this.#send(this.#deltas.write(method, params, members), false, params.delta.length);
    } else {
      const encoded = this.#wire.params(method, params);
      if (encoded !== undefined) {
        this.#send(new SharedNotification({ method, params: encoded }, members), false);
      }
    }
  }

  /** Tracks the items that are running, for clients that subscribe while they are. */
  trackRunning(): void {
    this.#running ??= new RunningItems();
  }

  /** Returns the notifications with the state of the running turn, if it is tracked. */
  runningState(): RunningNotification[] {
    return this.#running?.state() ?? [];
  }

  /** Announces a turn that a client was promised and that is about to start. */
  announce(turn: Turn): void {
    this.#thread.state.announce(turn.id);
    notifyTurnPromised(turn, this.#projection);
  }

  /** Records that input, for which `turn` was returned, has joined the running turn. */
  join(turn: Turn): void {
    const running = this.#thread.state.currentTurnId ?? turn.id;
    if (turn.id === running) return;
    this.messages.join(turn.id, running);
    notifyTurnPromised(turn, this.#projection);
  }

  /** Calls back once, right before subscribers are notified of the end of the turn. */
  beforeTurnEnd(action: () => void): void {
    this.#beforeEnd.push(action);
  }

  /** Calls back once, before the first event of a submission: the start of a turn or an error. */
  beforeFirstEvent(submissionId: string, action: (msg: EventMsg) => void): void {
    this.#beforeFirstEvent.set(submissionId, action);
  }

  /** Passes the answer of a client to the engine, unless another client was first. */
  answer(request: ServerRequest, answer: unknown, client?: string): void {
    this.#requests.answer(request, request.toOp(answer), this.#thread, client);
  }

  /** Records that a subscriber does not answer a request. */
  refuse(request: ServerRequest, subscriber: Subscriber): void {
    this.#requests.refuse(request, subscriber, this.#thread, this.#broadcast.subscribers);
  }

  get #clock(): Clock {
    return this.#thread.remote?.clock ?? this.#parts.clock;
  }

  #withdraw(turnId: string): boolean {
    const { remote, state } = this.#thread;
    const isWithdrawn = state.withdraw(turnId);
    return remote === undefined ? isWithdrawn : remote.isUnstartedTurn(turnId);
  }

  #onEvent(event: Event): void {
    const onFirst = this.#beforeFirstEvent.get(event.id);
    if (onFirst !== undefined && event.msg.type !== "warning") {
      this.#beforeFirstEvent.delete(event.id);
      onFirst(event.msg);
    }
    if (isEnd(event)) this.messages.clearJoined();
    if (this.#isReply(event)) return;
    // Until 0.166 the output of a patch was sent like that of a command.
    const output = this.#parts.era.since["0.166"] ? undefined : patchOutput(event);
    if (output !== undefined) this.#report(output);
    this.#report(event);
  }

  /** True for an error that is sent as the reply to a request, and to no other client. */
  #isReply({ id, msg }: Event): boolean {
    if (msg.type !== "error" || id === "") return false;
    if (this.#projection.turn?.submissionId === id) return false;
    const { remote, state } = this.#thread;
    // All servers report the same about a remote thread, so it depends on the log alone.
    return remote === undefined ? !state.isAnnounced(id) : !remote.isUnstartedTurn(id);
  }

  /** Reports an event, for legacy subscribers in its original form first. */
  #report(event: Event): void {
    if (!this.#parts.era.v2.legacyEvents && !this.#broadcast.hasLegacySubscribers) {
      this.#project(event);
    } else {
      const withId = withItem(event);
      this.#sendLegacy(withId ?? event);
      this.#project(event);
      if (withId !== undefined) this.#sendLegacy(event);
    }
    const request = toServerRequest(event, this.#projection);
    if (request !== undefined)
      this.#requests.send(request, this.#thread, this.#broadcast.subscribers);
  }

  #project(event: Event): void {
    if (isEnd(event)) for (const action of this.#beforeEnd.splice(0)) action();
    projectEvent(event, this.#projection);
  }

  #sendLegacy(event: Event): void {
    const notification = this.#parts.notifications.of(event, this.#thread.id);
    if (notification !== undefined) this.#send(notification, true);
  }

  #send(notification: SharedNotification, isLegacy: boolean, length?: number): void {
    const { remote } = this.#thread;
    const seq = remote === undefined ? this.#broadcast.seq + 1 : isLegacy ? 0 : remote.nextNumber();
    this.#broadcast.send(notification, { seq, isLegacy, length });
  }

  #close(): void {
    const error = { type: "error" as const, message: `Thread ${this.#thread.id} has ended` };
    for (const onFirst of this.#beforeFirstEvent.values()) onFirst(error);
    this.#broadcast.end();
  }
}

function isEnd({ msg }: Event): boolean {
  return msg.type === "turn_aborted" || msg.type === "task_complete";
}

/** Feeds of the live threads. */
export class ThreadFeeds {
  #parts: FeedParts;
  #feeds = new Map<string, ThreadFeed>();
  #tracksRunning = false;

  constructor(parts: FeedParts) {
    this.#parts = parts;
  }

  /** Returns the feed of a live thread; creates it on first use. */
  of(thread: Thread): ThreadFeed {
    const found = this.#feeds.get(thread.id);
    if (found !== undefined) return found;
    const feed = new ThreadFeed(thread, this.#parts, () => this.#feeds.delete(thread.id));
    if (this.#tracksRunning) feed.trackRunning();
    this.#feeds.set(thread.id, feed);
    return feed;
  }

  /** Tracks the running items of all threads from now on. */
  trackRunning(): void {
    this.#tracksRunning = true;
    for (const feed of this.#feeds.values()) feed.trackRunning();
  }

  find(threadId: string): ThreadFeed | undefined {
    return this.#feeds.get(threadId);
  }
}
