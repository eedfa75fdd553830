import type { Event } from "../../protocol/types.js";

/** The requests of a thread that wait for the user; whoever answers first decides. */
export class Approvals {
  #open = new Map<string, { event: Event; answered: AbortController }>();

  /** The events that asked and were not answered yet. */
  get open(): Event[] {
    return [...this.#open.values()].map(({ event }) => event);
  }

  onEvent(event: Event): void {
    const { msg } = event;
    switch (msg.type) {
      case "exec_approval_request":
      case "apply_patch_approval_request":
        this.#open.set(msg.call_id, { event, answered: new AbortController() });
        return;
      case "task_complete":
      case "turn_aborted":
        this.close();
    }
  }

  /** Aborts when the request is answered by anyone, or by the end of its turn. */
  signalOf(callId: string): AbortSignal | undefined {
    return this.#open.get(callId)?.answered.signal;
  }

  /** Takes the right to answer; false when someone else has, or nothing waits any more. */
  settle(callId: string): boolean {
    const found = this.#open.get(callId);
    this.#open.delete(callId);
    found?.answered.abort(new Error("answered"));
    return found !== undefined;
  }

  /** Nothing is asked any more. */
  close(): void {
    for (const callId of [...this.#open.keys()]) this.settle(callId);
  }
}
