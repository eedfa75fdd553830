import type { Event } from "../../protocol/types.js";

/** The requests of a thread that wait for the user; whoever answers first decides. */
export class Approvals {
  #open = new Map<string, { event: Event; answered: AbortController }>();

  /** The events that asked and were not answered yet. */
  get open(): Event[] {
    return [...this.#open.values()].map(({ event }) => event);
  }

  onEvent(event: Event): void {
    const { type } = event.msg;
    if (type === "task_complete" || type === "turn_aborted") this.close();
    const key = keyOf(event);
    if (key !== undefined) this.#open.set(key, { event, answered: new AbortController() });
  }

  /** Aborts when the request is answered by anyone, or by the end of its turn. */
  signalOf(key: string): AbortSignal | undefined {
    return this.#open.get(key)?.answered.signal;
  }

  /** Takes the right to answer; false when someone else has, or nothing waits any more. */
  settle(key: string): boolean {
    const found = this.#open.get(key);
    this.#open.delete(key);
    found?.answered.abort(new Error("answered"));
    return found !== undefined;
  }

  /** Nothing is asked any more. */
  close(): void {
    for (const key of [...this.#open.keys()]) this.settle(key);
  }
}

/** What a request is answered by: the call it is about, or the server that asks and its number. */
function keyOf({ msg }: Event): string | undefined {
  switch (msg.type) {
    case "exec_approval_request":
    case "apply_patch_approval_request":
    case "request_user_input":
    case "request_permissions":
      return msg.call_id;
    case "dynamic_tool_call_request":
      return msg.callId;
    case "elicitation_request":
      return `${msg.server_name} ${msg.id}`;
    default:
      return undefined;
  }
}
