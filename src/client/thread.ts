import { createDeferred, type Deferred, untilAborted } from "../lib/async.js";
import { type JoinedSignal, joinSignals } from "../lib/join-signals.js";
import { CodexError } from "../protocol/error.js";
import type { Turn } from "../protocol/rpc/v2/turn.js";
import type { AppServerClient } from "./app-server-client.js";
import { Answering, ApproverFault } from "./approvals.js";
import { checkForkOptions, checkInput, checkSignal, checkTurn } from "./check-options.js";
import { compactThread } from "./compact.js";
import { closedError, interruptedError, toCodexError, turnError } from "./errors.js";
import { EventQueue } from "./event-queue.js";
import type { RunDeltasResult, RunResult, RunStreamedResult, TurnOptions } from "./run-result.js";
import { runTurn, ThreadFeed } from "./run-turn.js";
import {
  ThreadEventReader,
  type ThreadItem,
  type ThreadStreamEvent,
  type Usage,
} from "./thread-events/index.js";
import {
  type Input,
  type ThreadOptions,
  toResumeParams,
  toSettings,
  toStartParams,
  toUserInput,
} from "./thread-options.js";
import type {
  ForkOptions,
  ListTurnsOptions,
  RequestOptions,
  RewindOptions,
  RewindResult,
  SetGoalOptions,
  ThreadGoal,
  TurnsList,
} from "./thread-requests.js";

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
  /** Settles when the thread has been opened, in any way. */
  #opening: Promise<unknown> | undefined;
  #running: Running | undefined;

  /** Creates a thread; `Codex.startThread` and its like do this. */
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
    checkTurn(input, options);
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
   * Sends input and yields the events of the turn as they happen; with `deltas`, also every text as it comes.
   *
   * A turn that fails ends with `turn.failed`; for all else the loop rejects as `run` does.
   */
  runStreamed(input: Input, options: TurnOptions & { deltas: true }): Promise<RunDeltasResult>;
  /** Sends input and yields the events of the turn as they happen. */
  runStreamed(input: Input, options?: TurnOptions): Promise<RunStreamedResult>;
  /** Implements both forms. */
  async runStreamed(input: Input, options: TurnOptions = {}): Promise<RunDeltasResult> {
    checkTurn(input, options);
    return { events: this.#stream(input, options) };
  }

  /** Adds input to the running turn; the model sees it with its next request. */
  async steer(input: Input, { signal }: RequestOptions = {}): Promise<void> {
    checkInput(input);
    checkSignal(signal);
    const turn = await this.#startedTurn(signal);
    if (turn === undefined) {
      throw new CodexError("invalid_request", "No turn of this thread is running; use `run`");
    }
    const { client, threadId, turnId } = turn;
    const params = { threadId, input: toUserInput(input), expectedTurnId: turnId };
    await this.#guard(client.request("turn/steer", params, signal), signal);
  }

  /** Interrupts the running turn, whose `run` rejects with the code `interrupted`; without one it does nothing. */
  async interrupt({ signal }: RequestOptions = {}): Promise<void> {
    checkSignal(signal);
    const running = this.#running;
    if (running?.turn === undefined) {
      running?.joined.end(interruptedError());
      return;
    }
    const { client, threadId, turnId } = running.turn;
    await this.#guard(client.request("turn/interrupt", { threadId, turnId }, signal), signal);
  }

  /**
   * Leaves the thread, so that the server can unload it; interrupts its turn. A recorded thread is resumed by
   * its next turn.
   */
  async close({ signal }: RequestOptions = {}): Promise<void> {
    const beginning = this.#running?.turn ? undefined : this.#running?.settled.promise;
    await this.interrupt({ ...(signal === undefined ? {} : { signal }) });
    await unlessAborted(beginning, signal);
    const client = this.#openOn;
    if (client === undefined || this.#id === undefined) return;
    this.#openOn = undefined;
    const leaving = client.request("thread/unsubscribe", { threadId: this.#id }, signal);
    await this.#guard(leaving, signal);
  }

  /** Closes it at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Replaces the history by a summary of the model; resolves when that is done. */
  async compact({ signal }: RequestOptions = {}): Promise<void> {
    checkSignal(signal);
    const { joined, settle, end } = this.#begin(signal);
    try {
      const turn = await this.#request(joined.signal, (client, threadId) =>
        compactThread(client, threadId, joined.signal),
      );
      if (turn.status === "failed") throw turnError(turn);
      if (turn.status === "interrupted") throw signal?.aborted ? signal.reason : interruptedError();
    } finally {
      settle();
      end();
    }
  }

  /** Copies the thread, completely or up to a turn; `options` are those of the copy. */
  async fork(options: ForkOptions = {}): Promise<Thread> {
    checkForkOptions(options);
    const { lastTurnId, signal, ...given } = options;
    const all = { ...this.#parts.options, ...given };
    const { ephemeral } = given;
    const params = {
      ...toSettings(all),
      excludeTurns: true,
      ...(ephemeral === undefined ? {} : { ephemeral }),
      ...(lastTurnId === undefined ? {} : { lastTurnId }),
    };
    return this.#request(signal, async (client, threadId) => {
      const { thread } = await client.request("thread/fork", { threadId, ...params }, signal);
      const copy = new Thread({ ...this.#parts, id: thread.id, options: all });
      copy.#openOn = client;
      return copy;
    });
  }

  /** Takes back a turn and all later ones: the conversation, the files, or both. */
  async rewind({ signal, ...params }: RewindOptions): Promise<RewindResult> {
    return this.#request(signal, (client, threadId) =>
      client.request("thread/rewind", { threadId, ...params }, signal),
    );
  }

  /** Lists the turns of the thread, page by page. */
  listTurns({ signal, ...params }: ListTurnsOptions = {}): Promise<TurnsList> {
    return this.#request(signal, (client, threadId) =>
      client.request("thread/turns/list", { threadId, ...params }, signal),
    );
  }

  /** Returns the goal of the thread; null if it has none. */
  async goal({ signal }: RequestOptions = {}): Promise<ThreadGoal | null> {
    const { goal } = await this.#request(signal, (client, threadId) =>
      client.request("thread/goal/get", { threadId }, signal),
    );
    return goal;
  }

  /** Sets the goal of the thread, or changes the given fields of it. */
  async setGoal({ signal, ...params }: SetGoalOptions): Promise<ThreadGoal> {
    const { goal } = await this.#request(signal, (client, threadId) =>
      client.request("thread/goal/set", { threadId, ...params }, signal),
    );
    return goal;
  }

  /** Removes the goal of the thread; returns true if it had one. */
  async clearGoal({ signal }: RequestOptions = {}): Promise<boolean> {
    const { cleared } = await this.#request(signal, (client, threadId) =>
      client.request("thread/goal/clear", { threadId }, signal),
    );
    return cleared;
  }

  /** Sends requests about the opened thread; their errors are those of `run`. */
  #request<T>(
    signal: AbortSignal | undefined,
    send: (client: AppServerClient, threadId: string) => Promise<T>,
  ): Promise<T> {
    const sending = async () => {
      checkSignal(signal);
      signal?.throwIfAborted();
      const client = await this.#parts.connect();
      return send(client, await this.#open(client, signal));
    };
    return this.#guard(sending(), signal);
  }

  async #guard<T>(request: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    try {
      return await request;
    } catch (error) {
      throw this.#toError(error, signal);
    }
  }

  /** Registers a turn that begins; `settle` is for its end, `end` for that of its consumer. */
  #begin(signal: AbortSignal | undefined) {
    if (this.#running !== undefined) {
      throw new CodexError("invalid_request", "A turn of this thread is running; wait for its end");
    }
    const running: Running = {
      joined: joinSignals(...(signal === undefined ? [] : [signal])),
      started: createDeferred(),
      settled: createDeferred(),
      turn: undefined,
    };
    this.#running = running;
    return {
      joined: running.joined,
      settle() {
        running.turn = undefined;
        running.started.resolve(undefined);
        running.settled.resolve(undefined);
      },
      end: () => {
        running.joined.end();
        this.#running = undefined;
      },
    };
  }

  /** Returns the running turn, waiting for its start; undefined if none runs. */
  async #startedTurn(signal: AbortSignal | undefined): Promise<StartedTurn | undefined> {
    signal?.throwIfAborted();
    return this.#running?.turn ?? unlessAborted(this.#running?.started.promise, signal);
  }

  async *#stream(input: Input, options: TurnOptions): AsyncGenerator<ThreadStreamEvent, Turn> {
    const { joined, settle, end } = this.#begin(options.signal);
    const queue = new EventQueue();
    const ended = this.#run(input, { ...options, signal: joined.signal }, queue);
    ended
      .catch(() => undefined)
      .finally(() => {
        settle();
        queue.close();
      });
    try {
      yield* queue;
    } finally {
      joined.end(new Error("Event stream was closed by the consumer"));
      await ended.catch(() => undefined);
      end();
    }
    const turn = await ended;
    if (turn.status !== "interrupted") return turn;
    options.signal?.throwIfAborted();
    throw interruptedError();
  }

  #run(input: Input, options: TurnOptions, events: EventQueue): Promise<Turn> {
    const { signal } = options;
    const running = async () => {
      signal?.throwIfAborted();
      return this.#runOn(await this.#parts.connect(), input, options, events);
    };
    return this.#guard(running(), signal);
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
    { outputSchema, signal, trace, deltas }: TurnOptions,
    events: EventQueue,
  ): Promise<Turn> {
    const feed = new ThreadFeed(client);
    const reader = new ThreadEventReader();
    const answering = new Answering(this.#parts.options, (callId, text) => {
      if (deltas) events.push(reader.toolProgress(callId, text));
    });
    const unpace = client.pace?.(() => events.room());
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
          if (notification.method === "turn/started" && this.#running !== undefined) {
            this.#running.turn = { client, threadId, turnId: notification.params.turn.id };
            this.#running.started.resolve(this.#running.turn);
          }
          answering.onNotification(notification);
          const delta = deltas && reader.readDelta(notification);
          if (delta) events.push(delta);
          for (const event of reader.read(notification)) events.push(event);
        },
        ...(signal === undefined ? {} : { signal }),
      });
      if (answering.fault !== undefined) throw answering.fault;
      return turn;
    } finally {
      unpace?.();
      feed.stop();
      leave?.();
    }
  }

  /** Starts or resumes the thread, once for each connection. */
  async #open(client: AppServerClient, signal: AbortSignal | undefined): Promise<string> {
    for (;;) {
      if (this.#id !== undefined && this.#openOn === client) return this.#id;
      if (this.#opening === undefined) break;
      await unlessAborted(this.#opening, signal);
    }
    const opened = this.#openNow(client, signal);
    const settle = () => {
      this.#opening = undefined;
    };
    this.#opening = opened.then(settle, settle);
    return opened;
  }

  async #openNow(client: AppServerClient, signal: AbortSignal | undefined): Promise<string> {
    const { options } = this.#parts;
    const { thread } =
      this.#id === undefined
        ? await client.request("thread/start", toStartParams(options), signal)
        : await client.request(
            "thread/resume",
            { threadId: this.#id, ...toResumeParams(options) },
            signal,
          );
    this.#id = thread.id;
    this.#openOn = client;
    return thread.id;
  }
}

/** A turn or a compaction of a thread, from its beginning. */
interface Running {
  /** Follows the signal of the caller; ended with an error before the turn has started, it ends the turn. */
  joined: JoinedSignal;
  /** Resolves with the turn, and with `undefined` at its end. */
  started: Deferred<StartedTurn | undefined>;
  /** Resolves at its end; a consumer may still read its events. */
  settled: Deferred<undefined>;
  /** The turn, once it has started. */
  turn: StartedTurn | undefined;
}

interface StartedTurn {
  client: AppServerClient;
  threadId: string;
  turnId: string;
}

/** Waits for a result; rejects with the reason of the signal if that aborts first. */
async function unlessAborted<T>(
  result: Promise<T> | undefined,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  if (signal === undefined || result === undefined) return result;
  return Promise.race([result, untilAborted(signal)]);
}
