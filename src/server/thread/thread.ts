import { realpath } from "node:fs/promises";
import type { InProcessQueues } from "../../engine/index.js";
import { createDeferred } from "../../lib/deferred.js";
import { CodexError } from "../../protocol/error.js";
import type {
  Event,
  EventMsg,
  Op,
  SessionConfiguredEvent,
  TokenUsageInfo,
} from "../../protocol/types.js";
import { type Settings, settingsAfter, settingsOf } from "./settings.js";
import { Answers, Approvals, TurnWatch, UnheardEvents } from "./state.js";

/** Hears what happens in a thread, in order; must not throw. */
export interface ThreadListener {
  onEvent(event: Event, thread: Thread): void;
  /** A promise while the listener is far behind. */
  room?(): Promise<void> | undefined;
  /** The thread is gone; no event follows. */
  onEnd?(thread: Thread): void;
}

/** How a thread came to be, for lists that show it. */
export interface ThreadOrigin {
  /** When it was loaded, in milliseconds since 1970. */
  loadedAtMs: number;
  /** The program that loaded it, and what kind of program that is. */
  originator: string;
  source: string;
  /** Names what is handed to the engine; without it that is counted. */
  newSubmissionId?: (() => string) | undefined;
}

/**
 * A live conversation: one engine on queues of its own.
 *
 * Its events are read once and handed to everyone who listens, the same object to all. What
 * happens while nobody listens is kept, within bounds, for the first who does.
 */
export class Thread {
  readonly id: string;
  readonly origin: ThreadOrigin;
  /** A client has named it while it was loaded: settles when the name is kept, and never fails. */
  naming: Promise<void> | undefined;
  /** What its client began it for, if it said so. */
  purpose: string | undefined;
  /** What it has cost, once that is known. */
  usage: TokenUsageInfo | undefined;
  /** The thread that it began as a copy of, where no file says so. */
  copyOf: string | undefined;
  /** What the thread asks its clients and waits for. */
  readonly approvals = new Approvals();
  readonly #queues: InProcessQueues;
  #configured: SessionConfiguredEvent;
  #settings: Settings;
  readonly #answers = new Answers();
  #listeners = new Set<ThreadListener>();
  readonly #unheard = new UnheardEvents();
  readonly #turns = new TurnWatch();
  readonly #ended = createDeferred<void>();
  #submissions = 0;
  #isOpen = true;
  /** Another thread goes on with the conversation, and with those who listen. */
  #isReplaced = false;
  #endsQuietly = false;

  constructor(configured: SessionConfiguredEvent, queues: InProcessQueues, origin: ThreadOrigin) {
    this.id = configured.session_id;
    this.origin = origin;
    this.#configured = configured;
    this.#settings = settingsOf(configured);
    for (const msg of configured.initial_messages ?? []) this.#count(msg);
    this.#queues = queues;
  }

  /** What the engine said when the thread was ready. */
  get configured(): SessionConfiguredEvent {
    return this.#configured;
  }

  /** How it works from its next turn on. */
  get settings(): Settings {
    return this.#settings;
  }

  /** Whether nothing is kept of it. */
  get isEphemeral(): boolean {
    return this.#configured.rollout_path === "";
  }

  /** The turn that runs, if one does. */
  get turnId(): string | undefined {
    return this.#turns.turnId;
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  /** Lets go of what happened before the thread was loaded: it may be much, and few ask for it. */
  forgetBeginning(): void {
    const { initial_messages: _, ...configured } = this.#configured;
    this.#configured = configured;
  }

  /** Whether a turn runs or is about to. */
  get isBusy(): boolean {
    return this.#turns.isBusy;
  }

  /** Resolves when the engine of the thread has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Whether a path leads to the file of this conversation. */
  async isKeptIn(path: string): Promise<boolean> {
    const own = this.configured.rollout_path;
    const paths = [own, path].map((one) => realpath(one).catch(() => one));
    const [real, given] = await Promise.all(paths);
    return real === given;
  }

  /** Hands an op to the engine; returns the id its events carry, counted up where none is given. */
  submit(op: Op, id = this.origin.newSubmissionId?.() ?? String(this.#submissions++)): string {
    if (!this.#isOpen) throw new CodexError("thread_not_found", `Thread ${this.id} has ended`);
    this.#turns.onSubmit(op, id);
    this.#settings = settingsAfter(this.#settings, op);
    this.#queues.submissions.push({ id, op });
    return id;
  }

  /** Hands an op to the engine and waits for the event that answers it; throws what refuses it. */
  ask<Type extends EventMsg["type"]>(
    op: Op,
    id: string,
    answer: Type,
  ): Promise<Extract<EventMsg, { type: Type }>> {
    this.submit(op, id);
    return this.#answers.to(id, answer);
  }

  /** Ends the turn that runs; resolves with why it ended, at once when there is none. */
  interrupt(): Promise<string> {
    this.submit({ type: "interrupt" });
    return this.#turns.isBusy ? this.#turns.nextEnd() : Promise.resolve("interrupted");
  }

  /** Adds a listener, who first hears what nobody has heard and what still waits for an answer. */
  subscribe(listener: ThreadListener): () => void {
    const listeners = this.#listeners; // also after another thread has taken them over
    listeners.add(listener);
    const missed = this.#unheard.take();
    const open = this.approvals.open.filter((event) => !missed.includes(event));
    for (const event of [...missed, ...open]) listener.onEvent(event, this);
    return () => listeners.delete(listener);
  }

  /** Ends the thread so that another can go on with its conversation; its listeners stay. */
  async makeWay(): Promise<void> {
    this.#isReplaced = true;
    await this.close({ quietly: true });
  }

  /** Takes over all who listened to a thread that made way. */
  takeListeners(other: Thread): void {
    this.#listeners = other.#listeners;
    other.#listeners = new Set();
  }

  /** Tells all who listen that nothing will come any more. */
  dismiss(): void {
    for (const listener of [...this.#listeners]) listener.onEnd?.(this);
    this.#listeners.clear();
  }

  /**
   * Ends the conversation; resolves when all of it is written. Its file stays.
   *
   * Quietly: nobody hears the `shutdown_complete`, which else carries the id.
   */
  async close({ quietly = false, id }: { quietly?: boolean; id?: string } = {}): Promise<void> {
    this.#endsQuietly ||= quietly;
    if (this.#isOpen) this.submit({ type: "shutdown" }, id);
    this.#isOpen = false;
    await this.ended;
  }

  /** A promise while one of those who listen is far behind; the engine waits for it. */
  room(): Promise<void> | undefined {
    for (const listener of this.#listeners) {
      const room = listener.room?.();
      if (room !== undefined) return room;
    }
    return undefined;
  }

  /** Called by the registry for each event of the engine, in order. */
  receive(event: Event): void {
    this.#count(event.msg);
    this.#turns.onEvent(event);
    this.approvals.onEvent(event);
    if (this.#endsQuietly && event.msg.type === "shutdown_complete") return;
    if (this.#listeners.size === 0) this.#unheard.add(event);
    for (const listener of [...this.#listeners]) listener.onEvent(event, this);
    this.#answers.onEvent(event);
  }

  #count(msg: EventMsg): void {
    if (msg.type === "token_count" && msg.info != null) this.usage = msg.info;
  }

  /** Called by the registry when the engine has ended. */
  finish(): void {
    this.#isOpen = false;
    this.#turns.onEnd();
    this.approvals.close();
    this.#answers.close(this.id);
    if (!this.#isReplaced) this.dismiss();
    this.#ended.resolve();
  }
}
