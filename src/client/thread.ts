import { Queue } from "../lib/async.js";
import { CodexError } from "../protocol/error.js";
import type { Turn } from "../protocol/rpc/v2/turn.js";
import type { AppServerClient } from "./app-server-client.js";
import { Answering, ApproverFault } from "./approvals.js";
import { closedError, toCodexError, turnError } from "./errors.js";
import type { RunResult, RunStreamedResult, TurnOptions } from "./run-result.js";
import { runTurn, ThreadFeed } from "./run-turn.js";
import {
  type ThreadEvent,
  ThreadEventReader,
  type ThreadItem,
  type Usage,
} from "./thread-events/index.js";
import {
  type Input,
  type ThreadOptions,
  toSettings,
  toStartParams,
  toUserInput,
} from "./thread-options.js";

/** Access of a thread to its `Codex`. */
export interface ThreadParts {
  /** The id of a recorded thread. */
  id: string | undefined;
  /** Options of the thread, with the defaults of the `Codex`. */
  options: ThreadOptions;
  /** Returns the connection that all threads share. */
  connect(): Promise<AppServerClient>;
  /** Returns true if that `Codex` was closed. */
  isClosed(): boolean;
  /** Routes server requests of a thread to `answering`; returns a function that stops it. */
  answerFor(threadId: string, answering: Answering): () => void;
}

/** A conversation with the model; one turn runs at a time. */
export class Thread {
  #parts: ThreadParts;
  #id: string | undefined;
  /** The connection on which the thread was opened. */
  #openOn: AppServerClient | undefined;
  #isRunning = false;

  constructor(parts: ThreadParts) {
    this.#parts = parts;
    this.#id = parts.id;
  }

  /** Id of the thread; null until its first turn has started. */
  get id(): string | null {
    return this.#id ?? null;
  }

  /**
   * Sends input and waits for the end of the turn.
   *
   * Rejects with a `CodexError` if the turn fails, with the reason of `signal` if that interrupts it,
   * and with whatever `onApproval` threw.
   */
  async run(input: Input, options: TurnOptions = {}): Promise<RunResult> {
    const items: ThreadItem[] = [];
    let finalResponse = "";
    let usage: Usage | null = null;
    const events = this.#stream(input, options);
    for (;;) {
      const { value, done } = await events.next();
      if (done) {
        if (value.status === "failed") throw turnError(value);
        return { items, finalResponse, usage };
      }
      if (value.type === "item.completed") {
        items.push(value.item);
        if (value.item.type === "agent_message") finalResponse = value.item.text;
      } else if (value.type === "turn.completed") {
        usage = value.usage;
      }
    }
  }

  /**
   * Sends input and yields the events of the turn as they happen.
   *
   * A turn that fails ends with `turn.failed`; for all else the loop rejects as `run` does.
   */
  async runStreamed(input: Input, options: TurnOptions = {}): Promise<RunStreamedResult> {
    return { events: this.#stream(input, options) };
  }

  async *#stream(input: Input, options: TurnOptions): AsyncGenerator<ThreadEvent, Turn> {
    if (this.#isRunning) {
      throw new CodexError("invalid_request", "A turn of this thread is running; wait for its end");
    }
    this.#isRunning = true;
    const left = new AbortController();
    const signals = options.signal === undefined ? [] : [options.signal];
    const queue = new Queue<ThreadEvent>();
    const ended = this.#run(
      input,
      { ...options, signal: AbortSignal.any([left.signal, ...signals]) },
      queue,
    );
    ended.catch(() => undefined).finally(() => queue.close());
    try {
      yield* queue;
    } finally {
      left.abort(new Error("Event stream was closed by the consumer"));
      await ended.catch(() => undefined);
      this.#isRunning = false;
    }
    const turn = await ended;
    if (turn.status !== "interrupted") return turn;
    options.signal?.throwIfAborted();
    throw new CodexError("interrupted", "The turn was interrupted before it was complete");
  }

  async #run(input: Input, options: TurnOptions, events: Queue<ThreadEvent>): Promise<Turn> {
    const { signal } = options;
    signal?.throwIfAborted();
    try {
      return await this.#runOn(await this.#parts.connect(), input, options, events);
    } catch (error) {
      throw this.#toError(error, signal);
    }
  }

  /** Rethrows unchanged an error that the caller threw or aborted with. */
  #toError(error: unknown, signal: AbortSignal | undefined): unknown {
    if (error instanceof ApproverFault) return error.cause;
    if (signal?.aborted && error === signal.reason) return error;
    return this.#parts.isClosed() ? closedError(error) : toCodexError(error);
  }

  async #runOn(
    client: AppServerClient,
    input: Input,
    { outputSchema, signal, trace }: TurnOptions,
    events: Queue<ThreadEvent>,
  ): Promise<Turn> {
    const feed = new ThreadFeed(client);
    const reader = new ThreadEventReader();
    const answering = new Answering(this.#parts.options);
    let leave: (() => void) | undefined;
    try {
      const threadId = await this.#open(client, signal);
      leave = this.#parts.answerFor(threadId, answering);
      events.push({ type: "thread.started", thread_id: threadId });
      const turn = await runTurn({
        client,
        threadId,
        feed,
        start: () =>
          client.request("turn/start", {
            threadId,
            input: toUserInput(input),
            ...(outputSchema === undefined ? {} : { outputSchema }),
            ...(trace === undefined ? {} : { _meta: trace }),
          }),
        onNotification: (notification) => {
          answering.onNotification(notification);
          for (const event of reader.read(notification)) events.push(event);
        },
        ...(signal === undefined ? {} : { signal }),
      });
      if (answering.fault !== undefined) throw answering.fault;
      return turn;
    } finally {
      feed.stop();
      leave?.();
    }
  }

  /** Starts or resumes the thread, once for each connection. */
  async #open(client: AppServerClient, signal: AbortSignal | undefined): Promise<string> {
    if (this.#id !== undefined && this.#openOn === client) return this.#id;
    const { options } = this.#parts;
    const { thread } =
      this.#id === undefined
        ? await client.request("thread/start", toStartParams(options), signal)
        : await client.request(
            "thread/resume",
            { threadId: this.#id, ...toSettings(options), excludeTurns: true },
            signal,
          );
    this.#id = thread.id;
    this.#openOn = client;
    return thread.id;
  }
}
