import { createDeferred } from "../../lib/async.js";
import type { Clock } from "../../lib/clock.js";
import { CodexError } from "../../protocol/error.js";
import type { SessionConfiguredEvent, Submission, UserTurnOp } from "../../protocol/types.js";
import type { OpenedThread, RemoteEngine, Thread } from "../../server/index.js";
import type { At, Broker, LogBatch, LogEntry } from "../broker.js";
import { untilReached } from "../until-reached.js";
import type { RolloutCopy } from "./copy.js";
import { LiveDeltas } from "./live-deltas.js";
import { LogReader } from "./log-reader.js";
import type { Sender } from "./sender.js";

/** Parts of a `RemoteThread`. */
export interface RemoteThreadOptions {
  broker: Broker;
  threadId: string;
  clock: Clock;
  sender: Sender;
  createCopy(startedAt: Date): RolloutCopy;
  /** Stores the name of the thread, for the methods that read it. */
  onName(name: string): Promise<void>;
  /** Called when another client has changed the settings. */
  onSettings(thread: Thread): void;
  /** Aborts when the thread is closed; aborted by `close`. */
  closing: AbortController;
}

/** A thread as a gateway sees it: its log, which any worker writes, and the queue of its submissions. */
export class RemoteThread implements OpenedThread, RemoteEngine {
  readonly engine: RemoteEngine = this;
  readonly submissions = {
    push: (submission: Submission, client = "") => this.#submit(submission, client),
  };
  readonly #options: RemoteThreadOptions;
  readonly #reader: LogReader;
  readonly #batches: AsyncIterator<At<LogBatch>>;
  /** Entries that were read before the thread existed. */
  #early: LogEntry[] = [];
  #configured: SessionConfiguredEvent | undefined;
  #copy: RolloutCopy | undefined;
  /** Position of the last batch that was passed on as a whole. */
  #position = 0;
  #waiting: { position: number; resolve: () => void }[] = [];
  /** Set while replies to clients must precede events. */
  #held = 0;
  #released = createDeferred<void>();

  constructor(options: RemoteThreadOptions) {
    this.#options = options;
    this.#reader = new LogReader(options.clock);
    const { broker, threadId, closing } = options;
    this.#batches = broker.log.follow(threadId, 0, closing.signal)[Symbol.asyncIterator]();
  }

  get clock(): Clock {
    return this.#reader.clock;
  }

  get configured(): SessionConfiguredEvent {
    if (this.#configured === undefined) throw new TypeError("the thread is not open");
    const rollout_path = this.#copy?.path ?? "";
    return { ...this.#configured, rollout_path };
  }

  /** Reads the log up to the start of the session; throws if a worker has refused it. */
  async open(): Promise<void> {
    while (this.#configured === undefined) {
      const { value: batch, done } = await this.#batches.next();
      if (done) throw ended(this.#options.threadId);
      this.#early.push(...batch.entries);
      for (const entry of batch.entries) this.#findStart(entry);
      this.#position = batch.position;
    }
  }

  async follow(thread: Thread): Promise<void> {
    const { broker, threadId, closing } = this.#options;
    const deltas = new LiveDeltas((event) => thread.receive(event));
    const stop = broker.live.subscribe(threadId, (event) => deltas.onLive(event));
    closing.signal.addEventListener("abort", stop, { once: true });
    await this.#pass(this.#early.splice(0), thread, deltas);
    void this.#run(thread, deltas);
    await this.sync();
  }

  /** Resolves when everything is passed on that is in the log now. */
  async sync(): Promise<void> {
    const { broker, threadId, closing } = this.#options;
    const head = await untilReached(() => broker.log.head(threadId), { signal: closing.signal });
    if (head <= this.#position) return;
    await new Promise<void>((resolve) => this.#waiting.push({ position: head, resolve }));
  }

  nextNumber(): number {
    return this.#reader.nextNumber();
  }

  isUnstartedTurn(submissionId: string): boolean {
    return this.#reader.isUnstartedTurn(submissionId);
  }

  async startTurn(op: UserTurnOp, trace?: unknown): ReturnType<RemoteEngine["startTurn"]> {
    this.#held++;
    try {
      const stored = await this.#options.sender.startTurn(op, trace);
      if (stored.isNew) return stored;
      return { ...stored, firstNumber: this.#reader.firstNumberOf(stored.turnId) };
    } finally {
      // The reply is sent in the microtasks that follow.
      setImmediate(() => this.#release());
    }
  }

  async replay(until: number, connect: (engine: RemoteEngine) => Thread): Promise<void> {
    const { broker, threadId, clock } = this.#options;
    const reader = new LogReader(clock);
    const past = connect({
      submissions: { push() {} },
      clock: reader.clock,
      nextNumber: () => reader.nextNumber(),
      isUnstartedTurn: (id) => reader.isUnstartedTurn(id),
      startTurn: () => Promise.reject(ended(threadId)),
      replay: () => Promise.reject(ended(threadId)),
    });
    for await (const { entries } of broker.log.read(threadId, 0)) {
      for (const entry of entries) {
        if ("line" in entry) reader.onLine(entry.line.timestamp);
        else if (entry.seq > until) return;
        else reader.pass(entry, past);
      }
    }
  }

  #findStart(entry: LogEntry): void {
    if ("line" in entry) return;
    const { msg } = entry.event;
    if (msg.type === "session_configured") {
      this.#configured ??= msg;
      const { threadId, clock, createCopy } = this.#options;
      this.#copy ??= createCopy(new Date(startOf(this.#early, threadId) ?? clock.now()));
    } else if (msg.type === "error" && this.#configured === undefined) {
      throw new CodexError("config", msg.message);
    }
  }

  async #run(thread: Thread, deltas: LiveDeltas): Promise<void> {
    try {
      for (;;) {
        const { value: batch, done } = await this.#batches.next();
        if (done) break;
        this.#options.sender.onBatch(batch);
        await this.#pass(batch.entries, thread, deltas);
        this.#reach(batch.position);
      }
    } catch (error) {
      if (!this.#options.closing.signal.aborted) {
        const message = `The log of thread ${thread.id} cannot be read: ${String(error)}`;
        thread.receive({ id: "", msg: { type: "error", message } });
      }
    }
    this.#end(thread);
  }

  async #pass(entries: readonly LogEntry[], thread: Thread, deltas: LiveDeltas): Promise<void> {
    for (const entry of entries) if ("line" in entry) this.#copy?.add(entry.line);
    // Clients that are notified of something find it in the history.
    this.#copy?.flush();
    for (const entry of entries) {
      if (this.#held > 0) await this.#released.promise;
      if ("line" in entry) this.#onLine(entry.line, thread);
      else {
        const { msg } = entry.event;
        this.#options.sender.read(msg);
        if (msg.type === "thread_name_updated") await this.#options.onName(msg.thread_name ?? "");
        this.#reader.pass(entry, thread);
        deltas.onLogged(entry.event);
      }
      const room = thread.room();
      if (room !== undefined) await room;
    }
  }

  #onLine(line: Extract<LogEntry, { line: unknown }>["line"], thread: Thread): void {
    this.#reader.onLine(line.timestamp);
    if (line.type !== "turn_context") return;
    if (thread.onTurnContext(line.payload)) this.#options.onSettings(thread);
  }

  #reach(position: number): void {
    this.#position = position;
    const reached = this.#waiting.filter((one) => one.position <= position);
    this.#waiting = this.#waiting.filter((one) => one.position > position);
    for (const { resolve } of reached) resolve();
  }

  #release(): void {
    if (--this.#held > 0) return;
    this.#released.resolve();
    this.#released = createDeferred();
  }

  #submit(submission: Submission, client: string): void {
    const { sender, closing } = this.#options;
    const { type } = submission.op;
    if (type === "shutdown") closing.abort(new Error("closed"));
    // The worker continues a thread itself.
    else if (type !== "continue_thread") sender.send(submission, client);
  }

  #end(thread: Thread): void {
    this.#options.closing.abort(new Error("closed"));
    this.#copy?.remove();
    thread.finish();
    this.#reach(Number.POSITIVE_INFINITY);
  }
}

function ended(threadId: string): CodexError {
  return new CodexError("thread_not_found", `Thread ${threadId} has ended`);
}

/** Returns the time at which a thread has started, from its first lines. */
function startOf(entries: readonly LogEntry[], threadId: string): string | undefined {
  for (const entry of entries) {
    if (
      "line" in entry &&
      entry.line.type === "session_meta" &&
      entry.line.payload.id === threadId
    ) {
      return entry.line.payload.timestamp;
    }
  }
  return undefined;
}
