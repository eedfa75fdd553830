import type { Clock } from "../../engine/index.js";
import type { Submission, UserTurnOp } from "../../protocol/types.js";
import type { Thread } from "./thread.js";

/** Receives the submissions of a thread's clients. */
export interface SubmissionSink {
  /** `client` is the name of the client, if one answers a request. */
  readonly submissions: { push(submission: Submission, client?: string): void };
}

/** A turn whose input is stored. */
export interface StoredTurn {
  /** The id of the submission that started the turn. */
  submissionId: string;
  /** Another id if the input joins a turn. */
  turnId: string;
  /** False if the client has sent the input before. */
  isNew: boolean;
  /** Number of its first notification, if it has started. */
  firstNumber?: number | undefined;
}

/** The engine of a thread that runs in another process. Its events have a number in the thread's log. */
export interface RemoteEngine extends SubmissionSink {
  /** While an event is passed on: the time at which it happened. */
  readonly clock: Clock;
  /** Returns the number of the next notification of the event that is passed on; 0 if there is none. */
  nextNumber(): number;
  /** Returns true if a submission is the start of a turn that has not started. */
  isUnstartedTurn(submissionId: string): boolean;
  /**
   * Stores the input of a turn, once for each id that a client gave it.
   *
   * Resolves when it is durable; no event of the thread is passed on before the caller has replied.
   */
  startTurn(op: UserTurnOp, trace?: unknown): Promise<StoredTurn>;
  /** Passes on the events of the log, from the first to the one with a number, through another engine and thread. */
  replay(until: number, connect: (engine: RemoteEngine) => Thread): Promise<void>;
}
