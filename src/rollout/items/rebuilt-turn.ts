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
