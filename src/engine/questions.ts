import { createDeferred, type Deferred } from "../lib/async.js";

interface Waiting<Answer> {
  callId: string;
  /** Other ids that clients answer to: the submission's, as those of 2025 do, or the turn's. */
  otherIds: readonly string[];
  answer: Deferred<Answer>;
}

/** Questions to the user that are not answered yet. */
export class Questions<Answer> {
  #waiting: Waiting<Answer>[] = [];

  /** Waits for the answer; rejects with the signal's reason when the turn is aborted first. */
  async ask(callId: string, otherIds: readonly string[], signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    const answer = createDeferred<Answer>();
    const waiting: Waiting<Answer> = { callId, otherIds, answer };
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

  /** Answers by call id or, failing that, by another id; false when nothing waits there. */
  settle(id: string, answer: Answer): boolean {
    const waiting =
      this.#waiting.find((one) => one.callId === id) ??
      this.#waiting.find((one) => one.otherIds.includes(id));
    if (waiting === undefined) return false;
    this.#waiting = this.#waiting.filter((one) => one !== waiting);
    waiting.answer.resolve(answer);
    return true;
  }
}
