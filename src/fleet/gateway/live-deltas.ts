import type { Event } from "../../protocol/types.js";

/**
 * Orders the live events of a thread by its log: the text of an item follows the start of the item.
 *
 * Live events travel on a faster way than the log. Those of an item that has not started wait for it; those that come after
 * its end, or for whose item too many wait, are dropped.
 */
export class LiveDeltas {
  readonly #open = new Set<string>();
  readonly #pass: (event: Event) => void;
  #waiting: { item: string; event: Event }[] = [];

  constructor(pass: (event: Event) => void) {
    this.#pass = pass;
  }

  onLive(event: Event): void {
    const item = itemOf(event);
    if (item === undefined || this.#open.has(item)) this.#pass(event);
    else if (this.#waiting.length < maxWaiting) this.#waiting.push({ item, event });
  }

  /** Reads an event of the log after it has been passed on. */
  onLogged({ msg }: Event): void {
    switch (msg.type) {
      case "item_started":
        this.#start(msg.item.id);
        break;
      case "item_completed":
        this.#open.delete(msg.item.id);
        break;
      case "exec_command_begin":
      case "patch_apply_begin":
      case "mcp_tool_call_begin":
        this.#start(msg.call_id);
        break;
      case "exec_command_end":
      case "patch_apply_end":
      case "mcp_tool_call_end":
        this.#open.delete(msg.call_id);
        break;
      case "task_complete":
      case "turn_aborted":
        this.#waiting = [];
        this.#open.clear();
        break;
    }
  }

  #start(item: string): void {
    this.#open.add(item);
    if (this.#waiting.length === 0) return;
    const due = this.#waiting.filter((one) => one.item === item);
    this.#waiting = this.#waiting.filter((one) => one.item !== item);
    for (const { event } of due) this.#pass(event);
  }
}

const maxWaiting = 1000;

function itemOf({ msg, item_id }: Event): string | undefined {
  if (item_id !== undefined) return item_id;
  if ("call_id" in msg && typeof msg.call_id === "string") return msg.call_id;
  return "item_id" in msg && typeof msg.item_id === "string" ? msg.item_id : undefined;
}
