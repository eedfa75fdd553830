import { toTraceContext } from "../../protocol/read/trace-context.js";
import type { EventMsg, Op, Submission, UserTurnOp } from "../../protocol/types.js";
import type { StoredTurn } from "../../server/index.js";
import type { StartedTelemetry } from "../../telemetry/index.js";
import type { Broker, LogBatch, SentSubmission } from "../broker.js";
import { answerOf, QuestionNumbers } from "../questions.js";
import { untilReached } from "../until-reached.js";
import { turnIdOf } from "./turn-id.js";
import { startTrace } from "./turn-trace.js";
import { WakeUps } from "./wake-ups.js";

/** A thread, and the gateway that sends to it. */
export interface SenderOptions {
  broker: Broker;
  threadId: string;
  /** Workers of this pool run the thread. */
  pool: string;
  /** Name of the gateway. */
  gateway: string;
  now(): number;
  /** Telemetry of the gateway, if it is on. */
  telemetry?: StartedTelemetry | undefined;
  /** Ends the sender: what is not stored by then is not sent. */
  signal: AbortSignal;
}

/** Sends the submissions of clients to a thread, and their answers to its questions. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #questions = new QuestionNumbers();
  /** The last submission: they are stored one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  readonly #wakeUps: WakeUps;
  /** The wake-ups so far. */
  #woken: Promise<unknown> = Promise.resolve();

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#wakeUps = new WakeUps(options);
  }

  /** Sends a submission; the sender repeats it while the broker is away. */
  send(submission: Submission, client: string): void {
    const { op } = submission;
    const question = answerOf(op);
    if (question === undefined) void this.put(submission).catch(() => {});
    else void this.#answer(question, op, client).catch(() => {});
  }

  /**
   * Stores a submission; resolves when it is durable.
   *
   * The pool is woken after that. A gateway that ends in between leaves the submission to a worker that looks for such.
   */
  async put(submission: SentSubmission): Promise<{ position: number; isNew: boolean }> {
    const { broker, threadId, now, telemetry, signal } = this.#options;
    const { trace: _given, ...rest } = submission;
    const stored = this.#last.then(async () => {
      const { context, end } = startTrace(telemetry, submission, threadId);
      const traced = context === undefined ? {} : { trace: context };
      const sent = { ...rest, ...traced, sentAtMs: now() };
      try {
        const put = await untilReached(() => broker.submissions.put(threadId, sent), { signal });
        end();
        this.#wake(put.position);
        return put;
      } catch (error) {
        end("unreachable");
        throw error;
      }
    });
    this.#last = stored.catch(() => {});
    return stored;
  }

  /** Resolves when a worker reads what was stored so far, or the pool is woken for it. */
  async settled(): Promise<void> {
    await this.#last;
    await this.#woken;
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

  /** Follows a batch that was added to the log. */
  onBatch(batch: LogBatch): void {
    this.#wakeUps.onBatch(batch);
  }

  /** Follows an event of the log. */
  read(msg: EventMsg): void {
    this.#questions.read(msg);
  }

  #wake(position: number): void {
    const woken = this.#wakeUps.wakeFor(position).catch(() => {});
    this.#woken = Promise.all([this.#woken, woken]);
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
    await untilReached(() => broker.answers.answer(threadId, answer), { signal });
  }

  async #read(position: number): Promise<Op | undefined> {
    const { broker, threadId, signal } = this.#options;
    for await (const { op } of broker.submissions.follow(threadId, position - 1, signal)) return op;
    return undefined;
  }
}
