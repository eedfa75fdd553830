import { checkHistoryEntry } from "../checks/items.generated.js";
import type { HistoryEntry } from "../history.js";
import { assertValid } from "./problem.js";
import { isRecord, renameFields } from "./record.js";

/** Reads an entry of the message history, from its file (`session_id`) or from an event. */
export function parseHistoryEntry(value: unknown): HistoryEntry {
  const entry = toHistoryEntry(value);
  assertValid(checkHistoryEntry, entry, "history entry");
  return entry as HistoryEntry;
}

/** Brings a history entry into the one form, unchecked. */
export function toHistoryEntry(value: unknown): unknown {
  return isRecord(value) ? renameFields(value, { session_id: "conversation_id" }) : value;
}
