import { readFile } from "node:fs/promises";
import { parseRolloutLine } from "../src/protocol/read/index.js";
import type { EventMsg, ResponseItem, RolloutLine } from "../src/protocol/types.js";
import { marksIn } from "./turn-script.js";

/** Marked items and events in a rollout. */
export interface RolloutContents {
  /** Number of occurrences of each item, by kind and mark. */
  items: Map<string, number>;
  /** Number of occurrences of each event. */
  events: Map<string, number>;
  /** Lines that cannot be read, by their number. */
  broken: number[];
}

export async function readContents(path: string): Promise<RolloutContents> {
  const contents: RolloutContents = { items: new Map(), events: new Map(), broken: [] };
  const text = await readFile(path, "utf8");
  for (const [index, one] of text.split("\n").entries()) {
    if (one === "") continue;
    const line = tryParse(one);
    if (line === undefined) contents.broken.push(index + 1);
    else if (line.type === "response_item") count(contents.items, keysOfItem(line.payload));
    else if (line.type === "event_msg") count(contents.events, keysOfEvent(line.payload));
  }
  return contents;
}

/** Key of an item: its kind and its marks. Items without marks are not ours. */
export function keysOfItem(item: Pick<ResponseItem, "type">): string[] {
  const marks = new Set(marksIn(JSON.stringify(item)));
  return [...marks].map((mark) => `${item.type} ${mark}`);
}

/** The same of an event that a rollout must keep; none for the others. */
export function keysOfEvent(msg: EventMsg): string[] {
  switch (msg.type) {
    case "user_message":
    case "agent_message":
    case "agent_reasoning":
      return marksIn(JSON.stringify(msg)).map((mark) => `${msg.type} ${mark}`);
    case "task_complete":
      return [`${msg.type} ${msg.response_id}`];
    default:
      return [];
  }
}

/** The calls of a request that have no output, or more than one. */
export function unansweredCalls(items: readonly ResponseItem[]): string[] {
  const outputs = new Map<string, number>();
  for (const item of items) {
    if (item.type === "function_call_output") count(outputs, [item.call_id ?? ""]);
  }
  return items.flatMap((item) =>
    item.type === "function_call" && outputs.get(item.call_id) !== 1 ? [item.call_id] : [],
  );
}

/** Returns the duplicates. */
export function repeated(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].filter(([, times]) => times > 1).map(([key, times]) => `${key} × ${times}`);
}

export function count(counts: Map<string, number>, keys: readonly string[]): void {
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
}

function tryParse(text: string): RolloutLine | undefined {
  try {
    return parseRolloutLine(JSON.parse(text));
  } catch {
    return undefined;
  }
}
