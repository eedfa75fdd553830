import { createDeferred, type Deferred } from "../../lib/async.js";
import type { Clock } from "../../lib/clock.js";
import type { Event, EventMsg, RolloutItem, RolloutLine } from "../../protocol/types.js";
import { type Broker, FencedError, type LogEntry, seqStep, UnreachableError } from "../broker.js";
import { questionOf } from "../questions.js";
import type { ThreadView } from "./thread-view.js";

/** The thread and its owner, as batches name them. */
export interface Owner {
  threadId: string;
  /** Epoch of its batches; raised when it claims the log. */
  epoch: number;
  worker: string;
}

/** Options of the output of a thread. */
export interface OutputOptions {
  broker: Broker;
  owner: Owner;
  view: ThreadView;
  clock: Clock;
  /** True while the lease is certainly held. */
  mayWrite(): boolean;
  /** Stores the folder of the thread, before the log reports what has changed it. */
  save(): Promise<void>;
  /** Called once if another owner has appended, or the log refuses a batch. */
  onFenced(reason: unknown): void;
}

/**
 * Writes the lines and events of a thread to its log, in the one order in which the engine makes them.
 *
 * Everything that gathers while a batch is on its way is the next batch, and what nobody waits for gathers for some
 * milliseconds. After `fence` nothing is added.
 */
export class ThreadOutput {
  readonly #options: OutputOptions;
  #entries: LogEntry[] = [];
  #applied: number[] = [];
  #isSending = false;
  #gathering: NodeJS.Timeout | undefined;
  #isFenced = false;
  #isHeld = false;
  #isClosed = false;
  #waiting: Deferred<void>[] = [];

  constructor(options: OutputOptions) {
    this.#options = options;
  }

  get isFenced(): boolean {
    return this.#isFenced;
  }

  /** Holds everything back until it is released as one batch. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.#send("now");
  }

  /** Adds a line of the rollout and returns it. */
  append(item: RolloutItem): RolloutLine {
    const timestamp = new Date(this.#options.clock.now()).toISOString();
    const line = { timestamp, ...item } as RolloutLine;
    if (this.#isFenced || this.#isClosed) return line;
    this.#options.view.readLine(line);
    this.#push({ line });
    return line;
  }

  /** Adds lines of another thread, of which this one is a copy. */
  copy(lines: readonly RolloutLine[]): void {
    for (const line of lines) {
      this.#options.view.readLine(line);
      this.#push({ line });
    }
  }

  publish(event: Event): void {
    if (this.#isFenced || this.#isClosed) return;
    const { broker, owner, view, clock } = this.#options;
    if (isLive(event.msg)) {
      broker.live.publish(owner.threadId, event);
      return;
    }
    view.seq += seqStep;
    view.readEvent(event);
    this.#push({ seq: view.seq, event, atMs: clock.now() }, isAwaited(event.msg) ? "now" : "soon");
  }

  /** Marks submissions whose effect is part of the log with the next batch. */
  apply(position: number): void {
    const { applied } = this.#options.view;
    if (this.#isFenced || this.#isClosed || applied.has(position)) return;
    applied.add(position);
    this.#applied.push(position);
    this.#send("soon");
  }

  /** Resolves when everything so far is durable; rejects if it never will be. */
  settled(): Promise<void> {
    return this.#isClosed ? Promise.reject(lost()) : this.#sent();
  }

  /** Adds nothing more; resolves when everything so far is durable. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#sent();
  }

  #sent(): Promise<void> {
    if (this.#isFenced) return Promise.reject(lost());
    if (!this.#isSending && this.#isEmpty) return Promise.resolve();
    const settled = createDeferred<void>();
    this.#waiting.push(settled);
    this.#send("now");
    return settled.promise;
  }

  /** Drops everything, now and later. */
  fence(): void {
    if (this.#isFenced) return;
    this.#isFenced = true;
    clearTimeout(this.#gathering);
    this.#entries = [];
    this.#applied = [];
    for (const { reject } of this.#waiting.splice(0)) reject(lost());
  }

  get #isEmpty(): boolean {
    return this.#entries.length === 0 && this.#applied.length === 0;
  }

  #push(entry: LogEntry, when: "now" | "soon" = "soon"): void {
    this.#entries.push(entry);
    this.#send(when);
  }

  #send(when: "now" | "soon"): void {
    if (this.#isSending || this.#isHeld || this.#isFenced || this.#isEmpty) return;
    if (when === "soon") {
      this.#gathering ??= setTimeout(() => this.#send("now"), gatherMs);
      return;
    }
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    this.#isSending = true;
    // One step of the engine is one batch, so that a cut never falls in between.
    setImmediate(() => void this.#sendAll());
  }

  async #sendAll(): Promise<void> {
    while (!this.#isEmpty && !this.#isFenced && !this.#isHeld) {
      const waiting = this.#waiting.splice(0);
      try {
        await this.#sendOne();
      } catch (error) {
        for (const { reject } of waiting) reject(lost());
        if (!this.#isFenced) this.#options.onFenced(error);
        this.fence();
        break;
      }
      for (const { resolve } of waiting) resolve();
    }
    this.#isSending = false;
    // Those that came during the last step of the loop.
    if (!this.#isEmpty) this.#send("now");
    else for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  async #sendOne(): Promise<void> {
    const { broker, owner, view, mayWrite, save } = this.#options;
    const { threadId, epoch, worker } = owner;
    const hasEnd = this.#entries.some((entry) => "event" in entry && isEnd(entry.event.msg));
    const batch = { epoch, worker, entries: this.#entries, applied: this.#applied };
    this.#entries = [];
    this.#applied = [];
    for (;;) {
      if (this.#isFenced || !mayWrite()) throw lost();
      try {
        if (hasEnd) await save();
        view.position = await broker.log.append(threadId, batch, view.position);
        if (this.#isFenced) throw lost();
        return;
      } catch (error) {
        if (!(error instanceof UnreachableError)) throw error;
        await pause(retryMs);
      }
    }
  }
}

const retryMs = 50;
/** A model that answers at once is done within this time, so that its turn is one batch. */
const gatherMs = 5;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function lost(): FencedError {
  return new FencedError("The lease of the thread is lost");
}

/** Returns true for events that are not stored: text as it comes, and progress. */
function isLive({ type }: EventMsg): boolean {
  return type.endsWith("_delta") || liveTypes.has(type);
}

/** Returns true for events on which clients or other workers act: ends and questions. */
function isAwaited(msg: EventMsg): boolean {
  return isEnd(msg) || questionOf(msg) !== undefined;
}

/** Returns true for the end of something that may have changed files. */
function isEnd({ type }: EventMsg): boolean {
  return endTypes.has(type);
}

const endTypes: ReadonlySet<EventMsg["type"]> = new Set<EventMsg["type"]>([
  "exec_command_end",
  "patch_apply_end",
  "mcp_tool_call_end",
  "task_complete",
  "turn_aborted",
]);

const liveTypes: ReadonlySet<EventMsg["type"]> = new Set<EventMsg["type"]>([
  "agent_reasoning_section_break",
  "background_event",
  "mcp_tool_call_progress",
  "patch_apply_updated",
  "stream_error",
]);
