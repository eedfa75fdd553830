import { errorText } from "../../lib/errors.js";
import type { Event, Op, RolloutLine } from "../../protocol/types.js";
import type { At, SentSubmission } from "../broker.js";
import { checkedOp, failure, refusal } from "./checked-op.js";
import type { ThreadOutput } from "./thread-output.js";
import type { ThreadView } from "./thread-view.js";
import type { Workspaces } from "./workspace.js";

/** Options of the input of a thread. */
export interface InputOptions {
  threadId: string;
  view: ThreadView;
  output: ThreadOutput;
  workspaces: Workspaces;
  /** Passes a submission to the engine. */
  submit(submission: SentSubmission, position: number): void;
  /** Writes the rollout file of a thread that continues another one; returns its path. */
  writeHistory(lines: readonly RolloutLine[]): string;
  /** Called with each submission that is worked on. */
  onTake(submission: SentSubmission): void;
}

/** The submissions of a thread, from their queue to the engine: each is applied once, in order, or refused. */
export class ThreadInput {
  readonly #options: InputOptions;
  #lastSeen = 0;
  /** Submission that configures the thread; until it is applied nothing is logged. */
  #first: string | undefined;
  /** Submissions behind it. */
  #deferred: At<SentSubmission>[] = [];
  #failure: string | undefined;

  constructor(options: InputOptions) {
    this.#options = options;
  }

  /** Position of the last submission that was read. */
  get lastSeen(): number {
    return this.#lastSeen;
  }

  /** The submission that configures the thread, as long as it is not applied. */
  get first(): string | undefined {
    return this.#first;
  }

  /** Defers all submissions behind the one that configures the thread. */
  startWith({ id, position }: At<SentSubmission>): void {
    // The beginning of a thread is one batch: a thread is configured, or it is not.
    this.#options.output.hold();
    if (this.#options.view.applied.has(position)) this.configured();
    else this.#first = id;
  }

  /** Works on a submission, unless that has been done. */
  take(submission: At<SentSubmission>): void {
    const { id, position } = submission;
    const { view, submit, onTake } = this.#options;
    this.#lastSeen = position;
    if (view.applied.has(position)) return;
    if (this.#first !== undefined && this.#first !== id) {
      this.#deferred.push(submission);
      return;
    }
    onTake(submission);
    const op = this.#checked(submission);
    if (op !== undefined) submit({ ...submission, op }, position);
  }

  /** Works on the submissions after the first one; if that has failed, they fail for the same reason. */
  configured(): void {
    const { isConfigured, lastError } = this.#options.view;
    this.#first = undefined;
    if (!isConfigured) this.#failure = lastError ?? "The thread could not be configured";
    this.#options.output.release();
    for (const submission of this.#deferred.splice(0)) this.take(submission);
  }

  /** Ends the turn that runs, and refuses all that follows: the thread cannot be loaded here. */
  fail(message: string): void {
    this.#failure = message;
    const { turn } = this.#options.view;
    if (turn === undefined) return;
    this.#publish(failure({ id: turn.submissionId, turn_id: turn.turnId }, message));
  }

  /** Returns the op as this worker runs it; undefined if it was refused. */
  #checked({ id, op, position, history }: At<SentSubmission>): Op | undefined {
    const { threadId, output, workspaces, writeHistory } = this.#options;
    try {
      if (this.#failure !== undefined) throw new Error(this.#failure);
      if (op.type === "shutdown") {
        output.apply(position);
        return undefined;
      }
      const checked = checkedOp(threadId, op, workspaces);
      if (history === undefined || checked.type !== "configure_session") return checked;
      output.copy(history);
      return { ...checked, resume_path: writeHistory(history) };
    } catch (error) {
      this.#publish(refusal({ id, op }, errorText(error)));
      output.apply(position);
      return undefined;
    }
  }

  #publish(events: readonly Event[]): void {
    const { threadId, output } = this.#options;
    for (const event of events) output.publish({ ...event, thread_id: threadId });
  }
}
