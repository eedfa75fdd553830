import { isRecord } from "../../protocol/read/check.js";
import { tokenCount } from "../read-stream-event.js";

/** Returns a number of tokens in a usage report; 0 if it has none. */
export function numberIn(usage: unknown, name: string): number {
  return (isRecord(usage) ? tokenCount(usage[name]) : undefined) ?? 0;
}
