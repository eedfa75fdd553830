import { Queue } from "../lib/queue.js";
import { CodexError } from "../protocol/error.js";
import type { Turn } from "../protocol/rpc/v2/turn.js";
import { Answering } from "./answering.js";
import type { AppServerClient } from "./app-server-client.js";
import { type Input, toUserInput } from "./input.js";
import { runTurn } from "./run-turn.js";
import {
  type ThreadEvent,
  ThreadEventReader,
  type ThreadItem,
  type Usage,
} from "./thread-events/index.js";
import { ThreadFeed } from "./thread-feed.js";
import { type ThreadOptions, toSettings, toStartParams } from "./thread-options.js";

/** What a turn may be given besides what is said. */
export interface TurnOptions {
  /** A JSON Schema that the last message is to fit. */
  outputSchema?: unknown;
  /** Interrupts the turn; `run` rejects with its reason. */
  signal?: AbortSignal;
}

/** A turn that was completed. */
export interface RunResult {
  items: ThreadItem[];
  /** The last message of the model. */
  finalResponse: string;
  usage: Usage | null;
}

/** A turn that runs; leaving the loop over its events interrupts it. */
export interface RunStreamedResult {
  events: AsyncGenerator<ThreadEvent>;
}

/** What a thread has of the `Codex` it belongs to. */
export interface ThreadParts {
  id: string | undefined;
  options: ThreadOptions;
  connect(): Promise<AppServerClient>;
  /** Sends the server's questions about a thread here; the function returned ends that. */
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

  /** Names the thread; null until its first turn has begun. */
  get id(): string | null {
    return this.#id ?? null;
  }

  /** Says something and waits for the end of the turn. Rejects when it fails or is interrupted. */
  async run(input: Input, options: TurnOptions = {}): Promise<RunResult> {
    const items: ThreadItem[] = [];
    let finalResponse = "";
    let usage: Usage | null = null;
    for await (const event of this.#stream(input, options)) {
      if (event.type === "item.completed") {
        items.push(event.item);
        if (event.item.type === "agent_message") finalResponse = event.item.text;
      } else if (event.type === "turn.completed") {
        usage = event.usage;
      } else if (event.type === "turn.failed") {
        throw new CodexError("model", event.error.message);
      }
    }
    return { items, finalResponse, usage };
  }

  /** Says something and tells what happens while it happens. */
  async runStreamed(input: Input, options: TurnOptions = {}): Promise<RunStreamedResult> {
    return { events: this.#stream(input, options) };
  }

  async *#stream(input: Input, options: TurnOptions): AsyncGenerator<ThreadEvent> {
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
      left.abort(new Error("Nobody reads the events of the turn any more"));
      await ended.catch(() => undefined);
      this.#isRunning = false;
    }
    if ((await ended).status !== "interrupted") return;
    options.signal?.throwIfAborted();
    throw new CodexError("internal", "The turn was interrupted before it was complete");
  }

  async #run(
    input: Input,
    { outputSchema, signal }: TurnOptions,
    events: Queue<ThreadEvent>,
  ): Promise<Turn> {
    signal?.throwIfAborted();
    const client = await this.#parts.connect();
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
          }),
        onNotification: (notification) => {
          answering.hear(notification);
          for (const event of reader.read(notification)) events.push(event);
        },
        ...(signal === undefined ? {} : { signal }),
      });
      if (answering.fault !== undefined) throw answering.fault.error;
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
