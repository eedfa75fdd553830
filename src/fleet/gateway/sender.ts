import { toTraceContext } from "../../protocol/read/trace-context.js";
import type { EventMsg, Op, Submission, UserTurnOp } from "../../protocol/types.js";
import type { StoredTurn } from "../../server/index.js";
import type { Broker, SentSubmission } from "../broker.js";
import { answerOf, QuestionNumbers } from "../questions.js";
import { untilReached } from "./retry.js";
import { turnIdOf } from "./turn-id.js";

/** A thread, and the gateway that sends to it. */
export interface SenderOptions {
  broker: Broker;
  threadId: string;
  /** Workers of this pool run the thread. */
  pool: string;
  /** Name of the gateway. */
  gateway: string;
  now(): number;
  /** Ends the sender: what is not stored by then is not sent. */
  signal: AbortSignal;
}

/** Sends the submissions of clients to a thread, and their answers to its questions. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #questions = new QuestionNumbers();
  /** The last submission: they are stored one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Sends a submission; the sender repeats it while the broker is away. */
  send(submission: Submission, client: string): void {
    const { op } = submission;
    const question = answerOf(op);
    if (question === undefined) void this.put(submission).catch(() => {});
    else void this.#answer(question, op, client).catch(() => {});
  }

  /** Stores a submission and wakes the pool; resolves when both are done. */
  async put(submission: SentSubmission): Promise<{ position: number; isNew: boolean }> {
    const { broker, threadId, pool, signal } = this.#options;
    const stored = this.#last.then(async () => {
      const put = await untilReached(() => broker.submissions.put(threadId, submission), signal);
      await untilReached(() => broker.wakes.wake(pool, threadId), signal);
      return put;
    });
    this.#last = stored.catch(() => {});
    return stored;
  }

  /**
   * Stores the input of a turn. Input that was stored before is answered as then: it starts its turn, or joins the one
   * that was active.
   */
  async startTurn(op: UserTurnOp, trace?: unknown): Promise<StoredTurn> {
    const { threadId } = this.#options;
    const context = trace == null ? undefined : toTraceContext(trace);
    const submissionId = turnIdOf(threadId, op.client_id, op.items);
    const { position, isNew } = await this.put({
      id: submissionId,
      op,
      ...(context === undefined ? {} : { trace: context }),
    });
    const stored = isNew ? op : ((await this.#read(position)) ?? op);
    const joined = stored.type === "user_turn" ? stored.active_turn_id : undefined;
    return { submissionId, turnId: joined ?? submissionId, isNew };
  }

  /** Follows an event of the log. */
  read(msg: EventMsg): void {
    this.#questions.read(msg);
  }

  async #answer(question: string, op: Op, client: string): Promise<void> {
    const { broker, threadId, gateway, now, signal } = this.#options;
    const answer = {
      question: this.#questions.next(question),
      op,
      client,
      gateway,
      answeredAtMs: now(),
    };
    await untilReached(() => broker.answers.answer(threadId, answer), signal);
  }

  async #read(position: number): Promise<Op | undefined> {
    const { broker, threadId, signal } = this.#options;
    const done = new AbortController();
    const both = AbortSignal.any([signal, done.signal]);
    try {
      for await (const { op } of broker.submissions.follow(threadId, position - 1, both)) return op;
      return undefined;
    } finally {
      done.abort();
    }
  }
}
