import { createDeferred, type Deferred } from "../lib/deferred.js";
import type { ReviewDecision } from "../protocol/types.js";

interface Waiting {
  callId: string;
  /** The submission whose task asks: clients of 2025 answer to this id. */
  submissionId: string;
  answer: Deferred<ReviewDecision>;
}

/** The questions that wait for the user. */
export class Approvals {
  #waiting: Waiting[] = [];

  /** Waits for the answer; rejects with the signal's reason when the turn is aborted first. */
  async ask(callId: string, submissionId: string, signal: AbortSignal): Promise<ReviewDecision> {
    signal.throwIfAborted();
    const answer = createDeferred<ReviewDecision>();
    const waiting: Waiting = { callId, submissionId, answer };
    const onAbort = () => answer.reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    this.#waiting.push(waiting);
    try {
      return await answer.promise;
    } finally {
      signal.removeEventListener("abort", onAbort);
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
    }
  }

  /** Answers by call id or, failing that, by submission id; false when nothing waits there. */
  settle(id: string, decision: ReviewDecision): boolean {
    const waiting =
      this.#waiting.find((one) => one.callId === id) ??
      this.#waiting.find((one) => one.submissionId === id);
    if (waiting === undefined) return false;
    this.#waiting = this.#waiting.filter((one) => one !== waiting);
    waiting.answer.resolve(decision);
    return true;
  }
}
