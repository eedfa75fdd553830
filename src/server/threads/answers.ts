import { createDeferred, type Deferred } from "../../lib/deferred.js";
import { CodexError } from "../../protocol/error.js";
import type { Event, EventMsg } from "../../protocol/types.js";

/** Waits for the events that answer submissions, by the ids of these. */
export class Answers {
  #awaited = new Map<string, { type: EventMsg["type"]; answer: Deferred<EventMsg> }>();

  /** Resolves with the event of that type under the id; throws what an error under it says. */
  to<Type extends EventMsg["type"]>(
    id: string,
    type: Type,
  ): Promise<Extract<EventMsg, { type: Type }>> {
    const answer = createDeferred<EventMsg>();
    this.#awaited.set(id, { type, answer });
    return answer.promise as Promise<Extract<EventMsg, { type: Type }>>;
  }

  onEvent({ id, msg }: Event): void {
    const awaited = this.#awaited.get(id);
    if (awaited === undefined) return;
    if (msg.type === awaited.type) awaited.answer.resolve(msg);
    else if (msg.type === "error") {
      awaited.answer.reject(new CodexError("invalid_request", msg.message));
    } else return;
    this.#awaited.delete(id);
  }

  /** Nothing answers any more. */
  close(threadId: string): void {
    for (const { answer } of this.#awaited.values()) {
      answer.reject(new CodexError("thread_not_found", `Thread ${threadId} has ended`));
    }
    this.#awaited.clear();
  }
}
