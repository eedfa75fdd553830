import type { ResponseItem } from "../../protocol/types.js";
import { isUserMessage } from "./response-item.js";

/**
 * Returns the items with an output after every call and a call before every output, as models
 * require.
 *
 * A call has no output if its turn was aborted or the process exited; its output becomes `aborted`.
 * An output has no call if the conversation was cut; it is removed. Returns the same list if
 * nothing is missing.
 */
export function normalizeItems(items: readonly ResponseItem[]): readonly ResponseItem[] {
  const { calls, outputs } = tiesOf(items);
  const isOpen = (call: Tie | undefined) =>
    call !== undefined && !outputs[call.family].has(call.id);
  const isLost = (output: Tie | undefined) =>
    output !== undefined && !calls[output.family].has(output.id);
  if (!items.some((item) => isOpen(callOf(item)) || isLost(outputOf(item)))) return items;

  return items.flatMap((item) => {
    if (isLost(outputOf(item))) return [];
    const call = callOf(item);
    return call !== undefined && isOpen(call) ? [item, abortedOutput(call)] : [item];
  });
}

/** Returns the calls that have no output yet, in order. */
export function unansweredCalls(items: readonly ResponseItem[]): ResponseItem[] {
  const { outputs } = tiesOf(items);
  return items.filter((item) => {
    const call = callOf(item);
    return call !== undefined && !outputs[call.family].has(call.id);
  });
}

function tiesOf(items: readonly ResponseItem[]) {
  const calls = newTies();
  const outputs = newTies();
  for (const item of items) {
    const call = callOf(item);
    if (call !== undefined) calls[call.family].add(call.id);
    const output = outputOf(item);
    if (output !== undefined) outputs[output.family].add(output.id);
  }
  return { calls, outputs };
}

/** Key that links a call and its output; the families never share outputs. */
interface Tie {
  family: "function" | "custom" | "search";
  id: string;
}

function newTies(): Record<Tie["family"], Set<string>> {
  return { function: new Set(), custom: new Set(), search: new Set() };
}

function callOf(item: ResponseItem): Tie | undefined {
  switch (item.type) {
    case "function_call":
      return { family: "function", id: item.call_id };
    case "local_shell_call": {
      const id = item.call_id ?? item.id;
      return id === undefined ? undefined : { family: "function", id };
    }
    case "custom_tool_call":
      return { family: "custom", id: item.call_id };
    case "tool_search_call":
      return { family: "search", id: item.call_id };
    default:
      return undefined;
  }
}

function outputOf(item: ResponseItem): Tie | undefined {
  if (item.type === "function_call_output") {
    return item.call_id === undefined ? undefined : { family: "function", id: item.call_id };
  }
  if (item.type === "custom_tool_call_output") return { family: "custom", id: item.call_id };
  if (item.type === "tool_search_output") return { family: "search", id: item.call_id };
  return undefined;
}

function abortedOutput({ family, id }: Tie): ResponseItem {
  if (family === "search") {
    const state = { status: "completed", execution: "client" };
    return { type: "tool_search_output", call_id: id, ...state, tools: [] };
  }
  const type = family === "custom" ? "custom_tool_call_output" : "function_call_output";
  return { type, call_id: id, output: "aborted" };
}

function startsTurn(item: ResponseItem): boolean {
  return (
    isUserMessage(item) || (item.type === "function_call_output" && item.call_id === undefined)
  );
}

/**
 * Returns the number of items left after rolling back the last user turns.
 *
 * Items before the first user message always stay.
 */
export function lengthWithoutLastTurns(items: readonly ResponseItem[], turns: number): number {
  let length = items.length;
  let left = turns;
  for (let index = items.length - 1; index >= 0 && left > 0; index--) {
    const item = items[index];
    if (item === undefined || !startsTurn(item)) continue;
    length = index;
    left--;
  }
  return length;
}
