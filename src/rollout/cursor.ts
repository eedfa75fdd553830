import { isTime, isUuid } from "./file-name.js";
import { parseTimeCursor } from "./time-cursor.js";

/** Names the last conversation of a page; the next page begins strictly behind it. */
export interface Cursor {
  /** As in file names, `2025-01-31T12-00-00`. */
  time: string;
  id: string;
}

/**
 * Reads a cursor, `TIME|UUID`, or a time alone that says as much. Nothing when it is no cursor.
 *
 * The time in front of an id may be one of RFC 3339 too.
 */
export function parseCursor(token: string): Cursor | undefined {
  const bar = token.indexOf("|");
  if (bar < 0) return parseTimeCursor(token);
  const time = toFileTime(token.slice(0, bar));
  const id = token.slice(bar + 1);
  return time === undefined || !isUuid(id) ? undefined : { time, id: id.toLowerCase() };
}

/** Writes a cursor for the client to give back. */
export function formatCursor({ time, id }: Cursor): string {
  return `${time}|${id}`;
}

/** Whether something lies behind the place that a cursor names, newest first. */
export function isBehind({ time, id }: Cursor, cursor: Cursor): boolean {
  return time < cursor.time || (time === cursor.time && id < cursor.id);
}

/** A moment as a cursor writes it, to the second and in UTC. */
export function cursorTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replaceAll(":", "-");
}

function toFileTime(text: string): string | undefined {
  if (isTime(text)) return text;
  const isRfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(text);
  const ms = isRfc3339 ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : cursorTime(ms);
}
