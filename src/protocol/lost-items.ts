import type { ExecCommandBeginEvent } from "./sqeq/events/exec.js";
import type { ItemCompletedEvent } from "./sqeq/events/item.js";
import type { McpToolCallBeginEvent } from "./sqeq/events/mcp.js";
import type { PatchApplyBeginEvent } from "./sqeq/events/patch.js";
import type { EventMsg } from "./sqeq/events.generated.js";
import { toDuration } from "./write.js";

/** Output for the model, and for clients, of something that ran when its worker was lost. */
export const outcomeUnknown =
  "outcome unknown: the worker was lost while this ran; check before you repeat it";

/** Events that start something which another event ends. */
export type OpeningEvent = Extract<
  EventMsg,
  {
    type:
      | "exec_command_begin"
      | "patch_apply_begin"
      | "mcp_tool_call_begin"
      | "web_search_begin"
      | "item_started";
  }
>;

/** The commands, patches, calls and items of a thread that have begun and not ended. */
export class OpenItems {
  readonly #open = new Map<string, OpeningEvent>();

  /** Follows an event of the thread. */
  read(msg: EventMsg): void {
    switch (msg.type) {
      case "exec_command_begin":
      case "patch_apply_begin":
      case "mcp_tool_call_begin":
      case "web_search_begin":
      case "item_started":
        this.#open.set(keyOf(msg), msg);
        return;
      case "exec_command_end":
      case "patch_apply_end":
      case "mcp_tool_call_end":
      case "web_search_end":
        this.#open.delete(msg.call_id);
        return;
      case "item_completed":
        this.#open.delete(itemKey(msg.item?.id));
    }
  }

  get all(): readonly OpeningEvent[] {
    return [...this.#open.values()];
  }

  /** Returns the beginning of a call, if it is open; that of an item if its calls are items. */
  ofCall(callId: string): OpeningEvent | undefined {
    return this.#open.get(callId) ?? this.#open.get(itemKey(callId));
  }

  /** Calls that run: their outcome is unknown if the worker is lost now. */
  get running(): string[] {
    return this.all.flatMap((msg) =>
      msg.type === "item_started" || msg.type === "web_search_begin" ? [] : [msg.call_id],
    );
  }
}

function keyOf(msg: OpeningEvent): string {
  return msg.type === "item_started" ? itemKey(msg.item?.id) : msg.call_id;
}

function itemKey(id: string | undefined): string {
  return `item ${id}`;
}

/** Returns the event that ends something that a lost worker has begun. */
export function endOfLost(msg: OpeningEvent): { msg: EventMsg; itemId: string | undefined } {
  switch (msg.type) {
    case "exec_command_begin":
      return { msg: commandEnd(msg), itemId: msg.call_id };
    case "patch_apply_begin":
      return { msg: patchEnd(msg), itemId: msg.call_id };
    case "mcp_tool_call_begin":
      return { msg: callEnd(msg), itemId: msg.call_id };
    case "web_search_begin": {
      const { call_id } = msg;
      return { msg: { type: "web_search_end", call_id, query: "" }, itemId: call_id };
    }
    case "item_started": {
      const item = endedItem(msg.item);
      const completed: ItemCompletedEvent = { ...msg, item, type: "item_completed" };
      return { msg: completed, itemId: item?.id };
    }
  }
}

function endedItem(item: ItemCompletedEvent["item"]): ItemCompletedEvent["item"] {
  if (item?.type !== "CollabAgentToolCall") return item;
  return { ...item, status: "failed" };
}

function commandEnd({ type: _, ...command }: ExecCommandBeginEvent): EventMsg {
  return {
    type: "exec_command_end",
    ...command,
    stdout: "",
    stderr: outcomeUnknown,
    aggregated_output: outcomeUnknown,
    exit_code: -1,
    duration: toDuration(0),
    formatted_output: outcomeUnknown,
    status: "failed",
  };
}

function patchEnd({ call_id, changes }: PatchApplyBeginEvent): EventMsg {
  return {
    type: "patch_apply_end",
    call_id,
    stdout: "",
    stderr: outcomeUnknown,
    success: false,
    changes,
    status: "failed",
  };
}

function callEnd({ type: _, ...call }: McpToolCallBeginEvent): EventMsg {
  return {
    type: "mcp_tool_call_end",
    ...call,
    duration: toDuration(0),
    result: outcomeUnknown,
  };
}
