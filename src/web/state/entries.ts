import { type Signal, signal } from "@preact/signals";
import type { ThreadItem } from "../../protocol/rpc/v2/item.js";
import { LiveText } from "./live-text.js";

/** A line of the conversation that is no item: a warning or an error. */
export interface NoticeItem {
  type: "notice";
  id: string;
  level: "info" | "warning" | "error";
  text: string;
}

/** An item of the conversation, with the text that is arriving. */
export interface Entry {
  /** Id of the item; some models use one id in several turns. */
  readonly id: string;
  /** Unique in the thread. */
  readonly key: string;
  readonly turnId: string;
  /** True if it was read from the history, so that it may be announced again. */
  readonly isOld: boolean;
  /** Rows of one chunk are rendered together. */
  readonly chunk: number;
  readonly item: Signal<ThreadItem | NoticeItem>;
  /** Text that grows; undefined once the item is complete. */
  readonly live: Signal<LiveText | undefined>;
  /** Number of changes of `live`, which is changed in place. */
  readonly grown: Signal<number>;
}

/** Creates an entry; `isRunning` if its text is still arriving. */
export function createEntry(
  item: ThreadItem | NoticeItem,
  { turnId, key, chunk, isRunning = false, isOld = false }: EntryOptions,
): Entry {
  return {
    id: item.id,
    key,
    turnId,
    isOld,
    chunk,
    item: signal(item),
    live: signal(isRunning ? new LiveText(textOf(item)) : undefined),
    grown: signal(0),
  };
}

interface EntryOptions {
  turnId: string;
  key: string;
  chunk: number;
  isRunning?: boolean;
  isOld?: boolean;
}

/** Returns the text of an item that arrives in parts. */
export function textOf(item: ThreadItem | NoticeItem): string {
  switch (item.type) {
    case "agentMessage":
    case "plan":
    case "notice":
      return item.text;
    case "commandExecution":
      return item.aggregatedOutput ?? "";
    case "reasoning":
      return [...item.summary, ...item.content].join("\n\n");
    default:
      return "";
  }
}

/** Returns true if an item of the history is still running. */
export function isRunning(item: ThreadItem | NoticeItem): boolean {
  return "status" in item && item.status === "inProgress";
}
