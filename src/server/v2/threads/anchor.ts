import { CodexError } from "../../../protocol/error.js";
import { isRecord } from "../../../protocol/read/record.js";

/** A place in the history of a thread that a page begins at. */
export interface Anchor {
  turnId: string;
  /** The number of an item in the turn, where items are listed. */
  item?: number;
  /** The page begins with it, instead of behind it. */
  includes: boolean;
}

/** Writes a place for the client to give back. */
export function formatAnchor(anchor: Anchor): string {
  return JSON.stringify(anchor);
}

/** Reads a place that a client gave back; throws when it is none. */
export function parseAnchor(cursor: string): Anchor {
  let value: unknown;
  try {
    value = JSON.parse(cursor);
  } catch {
    // Said below, like all that is no cursor.
  }
  if (isRecord(value) && typeof value.turnId === "string") {
    const { turnId, item, includes } = value;
    const isItem = typeof item === "number" && Number.isSafeInteger(item) && item >= 0;
    return { turnId, includes: includes === true, ...(isItem ? { item } : {}) };
  }
  throw new CodexError("invalid_request", `invalid cursor: ${cursor.slice(0, 200)}`);
}
