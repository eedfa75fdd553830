import { isRecord, type JsonRecord } from "../../protocol/read/check.js";

/** Returns a number of a usage report; 0 if it has none. */
export function numberIn(usage: unknown, name: string): number {
  const number = isRecord(usage) ? (usage as JsonRecord)[name] : undefined;
  return typeof number === "number" && Number.isFinite(number) ? number : 0;
}
