import type { ResponseItem } from "../protocol/types.js";

/**
 * The items with an output behind every call: the model refuses a conversation with open calls.
 *
 * A call stays open when its task was aborted, or the process ended, before its output came. The
 * list itself is returned when nothing is open, as it nearly always is.
 */
export function answerOpenCalls(items: readonly ResponseItem[]): readonly ResponseItem[] {
  const answered = new Set(items.flatMap(answeredCall));
  const isOpen = (item: ResponseItem) => {
    const call = callId(item);
    return call !== undefined && !answered.has(call);
  };
  if (!items.some(isOpen)) return items;
  return items.flatMap((item) => (isOpen(item) ? [item, abortedOutput(item)] : [item]));
}

function answeredCall(item: ResponseItem): string[] {
  const isOutput = item.type === "function_call_output" || item.type === "custom_tool_call_output";
  return isOutput ? [item.call_id] : [];
}

function callId(item: ResponseItem): string | undefined {
  switch (item.type) {
    case "function_call":
    case "custom_tool_call":
      return item.call_id;
    case "local_shell_call":
      return item.call_id ?? item.id;
    default:
      return undefined;
  }
}

function abortedOutput(item: ResponseItem): ResponseItem {
  const type =
    item.type === "custom_tool_call" ? "custom_tool_call_output" : "function_call_output";
  return { type, call_id: callId(item) ?? "", output: "aborted" };
}
