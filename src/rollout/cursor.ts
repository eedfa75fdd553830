import { fileTime, isTime, isUuid } from "./file-name.js";

/** Position in a list: the last conversation of a page. The next page starts after it. */
export interface Cursor {
  /** Format of file names, `2025-01-31T12-00-00`. */
  time: string;
  id: string;
}

/**
 * Parses `TIME|UUID`, or a timestamp alone; returns undefined if the text is neither.
 *
 * The time before a UUID may also be in RFC 3339 format.
 */
export function parseCursor(token: string): Cursor | undefined {
  const bar = token.indexOf("|");
  if (bar < 0) return parseTimeCursor(token);
  const time = toFileTime(token.slice(0, bar));
  const id = token.slice(bar + 1);
  return time === undefined || !isUuid(id) ? undefined : { time, id: id.toLowerCase() };
}

/** Formats a cursor for the client. */
export function formatCursor({ time, id }: Cursor): string {
  return `${time}|${id}`;
}

/** Returns true if a conversation comes after the cursor, newest first. */
export function isAfter({ time, id }: Cursor, cursor: Cursor): boolean {
  return time < cursor.time || (time === cursor.time && id < cursor.id);
}

/** Formats a time for a cursor, to the second, in UTC. */
export function cursorTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replaceAll(":", "-");
}

function toFileTime(text: string): string | undefined {
  if (isTime(text)) return text;
  const isRfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(text);
  const ms = isRfc3339 ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : cursorTime(ms);
}

/**
 * Formats a cursor as a timestamp alone, with four more digits for the sub-millisecond part of a
 * UUID v7. Returns undefined if the id does not contain the time of its file.
 */
export function toTimeCursor({ time, id }: Cursor): string | undefined {
  const moment = momentOf(id);
  if (moment === undefined || fileTime(new Date(moment.ms)) !== time) return undefined;
  const iso = new Date(moment.ms).toISOString();
  return `${iso.slice(0, -1)}${String(moment.position).padStart(4, "0")}Z`;
}

/** Parses a cursor that is a timestamp alone. */
function parseTimeCursor(token: string): Cursor | undefined {
  const [, upToMs = "", position = "0"] = timeAlone.exec(token) ?? [];
  const ms = Date.parse(`${upToMs}Z`);
  if (Number.isNaN(ms)) return undefined;
  const stamp = ms.toString(16).padStart(12, "0");
  const within = Math.min(Number(position), 0xfff).toString(16).padStart(3, "0");
  const id = `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${within}-0000-000000000000`;
  return { time: fileTime(new Date(ms)), id };
}

const timeAlone = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})(\d{4})?Z$/;

function momentOf(id: string): { ms: number; position: number } | undefined {
  if (id[14] !== "7") return undefined;
  const ms = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  return { ms, position: Number.parseInt(id.slice(15, 18), 16) };
}
