import { realpath } from "node:fs/promises";
import type { Requirements } from "../../config/index.js";
import type { AgentContext } from "../../engine/index.js";
import { createDeferred } from "../../lib/async.js";
import { CodexError } from "../../protocol/error.js";
import { toTraceContext } from "../../protocol/read/trace-context.js";
import type {
  DynamicTool,
  Event,
  EventMsg,
  Op,
  SessionConfiguredEvent,
  TurnContextItem,
} from "../../protocol/types.js";
import { MissedEvents } from "./missed-events.js";
import type { RemoteEngine, SubmissionSink } from "./remote-engine.js";
import { type Settings, settingsAfter, settingsOf } from "./settings.js";
import { ThreadState } from "./state.js";

/** Receives the events of a thread, in order. Its methods must not throw. */
export interface ThreadListener {
  onEvent(event: Event, thread: Thread): void;
  /** Returns a promise while the listener is far behind; the engine waits for it. */
  room?(): Promise<void> | undefined;
  /** Another thread continues the conversation and keeps its listeners. */
  onReplaced?(thread: Thread): void;
  /** The thread has ended; no event follows. */
  onEnd?(thread: Thread): void;
}

/** The program that loaded a thread, and when; shown in lists. */
export interface ThreadOrigin {
  /** Milliseconds since 1970. */
  loadedAtMs: number;
  /** Name and kind of the program, as recorded in the rollout. */
  originator: string;
  source: string;
  /** Restrictions of the administrator. */
  requirements?: Requirements | undefined;
  /** Creates submission ids; defaults to a counter. */
  newSubmissionId?: (() => string) | undefined;
}

/**
 * A live conversation: one engine with its own queues.
 *
 * Each event is read once and passed to all listeners as the same object. Events that occur while
 * there is no listener are buffered, within bounds, for the first that subscribes.
 */
export class Thread {
  /** The id of the thread. */
  readonly id: string;
  /** How the thread came to be. */
  readonly origin: ThreadOrigin;
  /** What the events so far amount to. */
  readonly state = new ThreadState();
  /** Set while a name given by a client is being stored; never rejects. */
  naming: Promise<void> | undefined;
  /** Set if it is the thread of a helper agent. */
  agent: AgentContext | undefined;
  /** Called with the thread of each helper agent that starts to work for this one. */
  readonly agentListeners = new Set<(agent: Thread) => void>();
  /** `threadSource` of the request that started it. */
  purpose: string | undefined;
  /** Project that a client has assigned it to when it started. */
  projectId: string | undefined;
  /** Number of questions that clients are asking the user themselves. */
  elicitations = 0;
  /** Id of the thread it was forked from, if no file records it. */
  copyOf: string | undefined;
  /** Dynamic tools that a client has set; undefined if they are those of the file, or none. */
  dynamicTools: readonly DynamicTool[] | undefined;
  /** Set if the engine runs in another process. */
  readonly remote: RemoteEngine | undefined;
  readonly #sink: SubmissionSink;
  #configured: SessionConfiguredEvent;
  #settings: Settings;
  #listeners = new Set<ThreadListener>();
  readonly #missed = new MissedEvents();
  readonly #ended = createDeferred<void>();
  #submissions = 0;
  #isOpen = true;
  #isReplaced = false;
  #endsQuietly = false;

  /** `remote` is set if `sink` is an engine in another process. */
  constructor(
    configured: SessionConfiguredEvent,
    sink: SubmissionSink,
    origin: ThreadOrigin,
    remote?: RemoteEngine,
  ) {
    this.id = configured.session_id;
    this.origin = origin;
    this.#configured = configured;
    this.#settings = settingsOf(configured);
    this.state.restore(configured.initial_messages ?? []);
    this.#sink = sink;
    this.remote = remote;
    this.state.requests.areSettledByEvents = remote !== undefined;
  }

  /** `session_configured` of the engine. */
  get configured(): SessionConfiguredEvent {
    return this.#configured;
  }

  /** Settings that apply from the next turn on. */
  get settings(): Settings {
    return this.#settings;
  }

  /** True if the thread is not stored on disk. */
  get isEphemeral(): boolean {
    return this.#configured.rollout_path === "";
  }

  /** Number of clients that follow the thread. */
  get listenerCount(): number {
    return this.#listeners.size;
  }

  /** True while a turn is running or about to start. */
  get isBusy(): boolean {
    return this.state.isBusy;
  }

  /** True until the thread is closed. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Resolves when the engine of the thread has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Drops the replayed messages of a resumed conversation: they may be large and are rarely read. */
  dropInitialMessages(): void {
    const { initial_messages: _, ...configured } = this.#configured;
    this.#configured = configured;
  }

  /** Returns true if a path leads to the rollout file of this conversation. */
  async isStoredAt(path: string): Promise<boolean> {
    const own = this.configured.rollout_path;
    const paths = [own, path].map((one) => realpath(one).catch(() => one));
    const [real, given] = await Promise.all(paths);
    return real === given;
  }

  /**
   * Submits an op to the engine; returns the id that its events carry.
   *
   * `trace` is the trace context of the client; an invalid one is passed over.
   * Throws if the administrator does not allow its settings, so that the client is answered at once.
   */
  submit(
    op: Op,
    id = this.origin.newSubmissionId?.() ?? String(this.#submissions++),
    trace?: unknown,
  ): string {
    if (op.type === "user_turn" || op.type === "override_turn_context") {
      this.origin.requirements?.assertAllowed(op);
    }
    if (!this.#isOpen) throw new CodexError("thread_not_found", `Thread ${this.id} has ended`);
    this.submitted(op, id);
    const context = trace == null ? undefined : toTraceContext(trace);
    this.#sink.submissions.push(context === undefined ? { id, op } : { id, op, trace: context });
    return id;
  }

  /** Submits the answer of a client to a request. */
  answer(op: Op, client: string | undefined): void {
    if (this.remote === undefined) this.submit(op);
    else this.remote.submissions.push({ id: "", op }, client);
  }

  /** Records that an op has been submitted. */
  submitted(op: Op, id: string): void {
    this.state.onSubmit(op, id);
    this.#settings = settingsAfter(this.#settings, op);
  }

  /** Takes over the settings of a turn that any client of a remote thread has started; returns false if they are the same. */
  onTurnContext(context: TurnContextItem): boolean {
    const before = this.#settings;
    const given = Object.entries(context).filter(([, value]) => value != null);
    const op = { ...Object.fromEntries(given), type: "override_turn_context" } as const;
    this.#settings = settingsAfter(before, op);
    return this.#settings !== before;
  }

  /** Submits an op and waits for the event that confirms it; rejects if the engine refuses it. */
  request<Type extends EventMsg["type"]>(
    op: Op,
    id: string,
    reply: Type,
  ): Promise<Extract<EventMsg, { type: Type }>> {
    this.submit(op, id);
    return this.state.reply(id, reply);
  }

  /** The same, with the result of a function that is called before listeners receive the event. */
  ask<Type extends EventMsg["type"], Result>(
    op: Op,
    id: string,
    reply: Type,
    toResult: (msg: Extract<EventMsg, { type: Type }>) => Result,
  ): Promise<Result> {
    this.submit(op, id);
    return this.state.onReply(id, reply, toResult);
  }

  /** Interrupts the running turn; resolves with the reason it ended, at once if none is running. */
  interrupt(): Promise<string> {
    const id = this.submit({ type: "interrupt" });
    if (this.remote !== undefined) return this.#interrupted(id);
    return this.isBusy ? this.state.turnEnd() : Promise.resolve("interrupted");
  }

  /** Resolves when the turn has ended, also one that this process does not know of yet. */
  #interrupted(id: string): Promise<string> {
    const answer = this.state.reply(id, "turn_aborted").then(({ reason }) => reason);
    return Promise.race([this.state.turnEnd(), answer]);
  }

  /** Adds a listener. It first receives the events that had no listener and the pending requests. */
  subscribe(listener: ThreadListener): () => void {
    const listeners = this.#listeners; // the same set after another thread has taken it
    listeners.add(listener);
    const missed = this.#missed.take();
    const pending = this.state.requests.events.filter((event) => !missed.includes(event));
    for (const event of [...missed, ...pending]) listener.onEvent(event, this);
    return () => listeners.delete(listener);
  }

  /** Ends the thread so that another can continue its conversation; the listeners stay. */
  async closeForReplacement(): Promise<void> {
    this.#isReplaced = true;
    await this.close({ quietly: true });
  }

  /** Takes the listeners of a thread that this one replaces. */
  takeListeners(other: Thread): void {
    this.#listeners = other.#listeners;
    other.#listeners = new Set();
    for (const listener of this.#listeners) listener.onReplaced?.(this);
  }

  /** Removes all listeners after notifying them of the end. */
  removeListeners(): void {
    for (const listener of [...this.#listeners]) listener.onEnd?.(this);
    this.#listeners.clear();
  }

  /**
   * Ends the conversation; resolves when all of it is written. Its file stays.
   *
   * If `quietly`, listeners do not receive `shutdown_complete`, which otherwise carries `id`.
   */
  async close({ quietly = false, id }: { quietly?: boolean; id?: string } = {}): Promise<void> {
    this.#endsQuietly ||= quietly;
    if (this.#isOpen) this.submit({ type: "shutdown" }, id);
    this.#isOpen = false;
    await this.ended;
  }

  /** Returns a promise while a listener is far behind; the engine waits for it. */
  room(): Promise<void> | undefined {
    for (const listener of this.#listeners) {
      const room = listener.room?.();
      if (room !== undefined) return room;
    }
    return undefined;
  }

  /** Reads an event and passes it on. Called by the registry for each event, in order. */
  receive(event: Event): void {
    this.state.onEvent(event);
    if (this.#endsQuietly && event.msg.type === "shutdown_complete") return;
    if (this.#listeners.size === 0) this.#missed.add(event);
    for (const listener of [...this.#listeners]) listener.onEvent(event, this);
  }

  /** Called by the registry when the engine has ended. */
  finish(): void {
    this.#isOpen = false;
    this.state.close(this.id);
    if (!this.#isReplaced) this.removeListeners();
    this.#ended.resolve();
  }
}
