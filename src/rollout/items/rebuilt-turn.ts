import type { EventMsg, TurnItem } from "../../protocol/types.js";

/** Something of a turn that clients are shown in a form of their own: a command, a patch, a review. */
export interface EventItem {
  type: "Event";
  id: string;
  msg: EventMsg;
}

/** An item of a turn, with its times where they were recorded. */
export type RebuiltItem = (TurnItem | EventItem) & {
  startedAtMs?: number;
  completedAtMs?: number;
};

/** A turn as its rollout tells it. */
export interface RebuiltTurn {
  /** Its own id, or `turn-1`, `turn-2`… where none was recorded. */
  id: string;
  items: RebuiltItem[];
  /** A turn without an end was interrupted, whatever it was that ended the program. */
  status: "completed" | "interrupted" | "failed";
  error: string | undefined;
  startedAtMs: number | undefined;
  completedAtMs: number | undefined;
  /** Its last response, where that was recorded. */
  responseId: string | undefined;
  /** How many items it has, also where these are not kept. */
  itemCount: number;
  /** The number of its first item that has no id of its own. */
  firstItem: number;
  /** The bytes of its file that tell it; the end is absent while nothing came behind it. */
  place: { file: string; start: number; end: number | undefined };
}

/** Where a line lies, for whoever wants to read a turn again. */
export interface LineOfFile {
  file: string;
  start: number;
  end: number;
}

/** A turn of which more may come, and what its lines have said so far. */
export interface OpenTurn {
  turn: RebuiltTurn;
  /** It was begun by an event of its own, not just by the message of the user. */
  explicit: boolean;
  /** The log says that a summary took the place of the conversation. */
  compacted: boolean;
  /** An item of the turn shows that. */
  toldCompaction: boolean;
  /** It begins with a review, which may have named it; the event that begins it is still to come. */
  review?: { turnId: string | undefined } | undefined;
}

/** Whether a turn is shown: one that only something of no account has opened is not. */
export function isWorthKeeping({ turn, explicit, compacted }: OpenTurn): boolean {
  return explicit || compacted || turn.itemCount > 0;
}

export const knownItems: ReadonlySet<string> = new Set<TurnItem["type"]>([
  "UserMessage",
  "AgentMessage",
  "Plan",
  "Reasoning",
  "WebSearch",
  "ContextCompaction",
]);

/** What versions of 2025 let the model say of a summary. */
export const compactedMessage = "Compact task completed";

export function idOf(msg: object): string | undefined {
  return "item_id" in msg && typeof msg.item_id === "string" ? msg.item_id : undefined;
}

export const nowhere: LineOfFile = { file: "", start: 0, end: 0 };

export function toMs(timestamp: string | undefined): number | undefined {
  const ms = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Versions that log items say when they began and ended. */
export function timesOf(msg: object): Pick<RebuiltItem, "startedAtMs" | "completedAtMs"> {
  const { started_at_ms, completed_at_ms } = msg as Record<string, unknown>;
  return {
    ...(typeof started_at_ms === "number" && { startedAtMs: started_at_ms }),
    ...(typeof completed_at_ms === "number" && { completedAtMs: completed_at_ms }),
  };
}
