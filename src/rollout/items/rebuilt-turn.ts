import type { EventMsg, PlanUpdateEvent, TurnItem } from "../../protocol/types.js";

/** Part of a turn that clients get in a separate format: a command, a patch, a review. */
export interface EventItem {
  type: "Event";
  id: string;
  msg: EventMsg;
}

/** An item of a turn, with recorded times if available. */
export type RebuiltItem = (TurnItem | EventItem) & {
  startedAtMs?: number;
  completedAtMs?: number;
};

/** A turn rebuilt from its rollout. */
export interface RebuiltTurn {
  /** Recorded id, or `turn-1`, `turn-2`… if none was recorded. */
  id: string;
  /** Turn of the user that the turn of a helper agent belongs to. */
  rootTurnId?: string;
  items: RebuiltItem[];
  /** A turn without a recorded end counts as interrupted. */
  status: "completed" | "interrupted" | "failed";
  error: string | undefined;
  startedAtMs: number | undefined;
  completedAtMs: number | undefined;
  /** Last plan, if recorded. */
  plan?: PlanUpdateEvent;
  /** Last response, if recorded. */
  responseId: string | undefined;
  /** Items of an outline that completed after the turn had ended. */
  lateItems?: RebuiltItem[];
  /** Number of items, also if `items` is not filled. */
  itemCount: number;
  /** Number of its first item without a recorded id. */
  firstItem: number;
  /** Position in the file; `end` is undefined for the last turn. */
  position: { file: string; start: number; end: number | undefined };
}

/** Position of a line, for reading a turn again. */
export interface LineOfFile {
  file: string;
  start: number;
  end: number;
}

/** The turn being rebuilt. */
export interface OpenTurn {
  turn: RebuiltTurn;
  /** True if it started with a `task_started` event, not just with a user message. */
  explicit: boolean;
  /** True if the log contains a compaction of the conversation. */
  compacted: boolean;
  /** True if an item of the turn shows the compaction. */
  showsCompaction: boolean;
  /**
   * Set if it starts with a review, which may carry the turn id; `task_started` is still to come.
   */
  review?: { turnId: string | undefined } | undefined;
}

/** Returns false for a turn without items that was started only implicitly. */
export function isWorthKeeping({ turn, explicit, compacted }: OpenTurn): boolean {
  return explicit || compacted || turn.itemCount > 0;
}

export const knownItems: ReadonlySet<string> = new Set<TurnItem["type"]>([
  "UserMessage",
  "AgentMessage",
  "Plan",
  "Reasoning",
  "WebSearch",
  "ImageGeneration",
  "ContextCompaction",
  "HookPrompt",
  "SubAgentActivity",
  "CollabAgentToolCall",
  "Sleep",
  "FunctionCallOutput",
  "AnsweredQuestions",
]);

/** Message that versions of 2025 logged for a compaction. */
export const compactedMessage = "Compact task completed";

export function idOf(msg: object): string | undefined {
  return "item_id" in msg && typeof msg.item_id === "string" ? msg.item_id : undefined;
}

export const nowhere: LineOfFile = { file: "", start: 0, end: 0 };

export function toMs(timestamp: string | undefined): number | undefined {
  const ms = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Returns the times that newer versions log with items. */
export function timesOf(msg: object): Pick<RebuiltItem, "startedAtMs" | "completedAtMs"> {
  const { started_at_ms, completed_at_ms } = msg as Record<string, unknown>;
  return {
    ...(typeof started_at_ms === "number" && { startedAtMs: started_at_ms }),
    ...(typeof completed_at_ms === "number" && { completedAtMs: completed_at_ms }),
  };
}
