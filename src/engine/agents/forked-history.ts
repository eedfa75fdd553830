import type { ResponseItem } from "../../protocol/types.js";
import { isUserMessage } from "../../rollout/index.js";
import { developerMessage } from "../messages.js";

/**
 * Returns the conversation that a new agent starts with; undefined if it starts a new one.
 *
 * The call that starts the agent is pending in it, so it gets an output, and a message says that the
 * conversation before belongs to another agent.
 */
export function forkedHistory(
  items: readonly ResponseItem[],
  turns: "all" | "none" | number,
): ResponseItem[] | undefined {
  if (turns === "none") return undefined;
  const first = turns === "all" ? 0 : startOfLastTurns(items, turns);
  const answered = new Set(items.flatMap((item) => outputId(item) ?? []));
  const open = items.filter((item) => isCall(item) && !answered.has(item.call_id));
  const outputs = open.map((item) => toAborted(item as CallItem));
  return [
    ...contextOf(items, first),
    ...items.slice(first),
    ...outputs,
    developerMessage(forkText),
  ];
}

type CallItem = Extract<ResponseItem, { type: "function_call" | "custom_tool_call" }>;

function isCall(item: ResponseItem): item is CallItem {
  return item.type === "function_call" || item.type === "custom_tool_call";
}

function outputId(item: ResponseItem): string | undefined {
  const isOutput = item.type === "function_call_output" || item.type === "custom_tool_call_output";
  return isOutput ? item.call_id : undefined;
}

function toAborted({ type, call_id }: CallItem): ResponseItem {
  return type === "function_call"
    ? { type: "function_call_output", call_id, output: "aborted" }
    : { type: "custom_tool_call_output", call_id, output: "aborted" };
}

/** The messages in front of the first turn, which every conversation has. */
function contextOf(items: readonly ResponseItem[], first: number): ResponseItem[] {
  const start = items.findIndex(isUserMessage);
  return start === -1 || first <= start ? [] : items.slice(0, start);
}

function startOfLastTurns(items: readonly ResponseItem[], turns: number): number {
  const starts = items.flatMap((item, index) => (isUserMessage(item) ? [index] : []));
  return starts.at(-turns) ?? 0;
}

const forkText =
  "The conversation above is a copy of the one of the agent that started you. You are a new agent: its " +
  "instructions to you follow, and its calls that were pending are not yours.";
