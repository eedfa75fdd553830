import { fileTime, isTime, isUuid } from "./file-name.js";

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

/**
 * Writes a cursor as a time alone, which newer ids say themselves: to the millisecond, with their
 * place within it in the digits behind. Nothing when the id does not say the time of its file.
 */
export function toTimeCursor({ time, id }: Cursor): string | undefined {
  const moment = momentOf(id);
  if (moment === undefined || fileTime(new Date(moment.ms)) !== time) return undefined;
  const iso = new Date(moment.ms).toISOString();
  return `${iso.slice(0, -1)}${String(moment.place).padStart(4, "0")}Z`;
}

/** Reads a cursor that is a time alone; nothing when it is none. */
function parseTimeCursor(token: string): Cursor | undefined {
  const [, upToMs = "", place = "0"] = timeAlone.exec(token) ?? [];
  const ms = Date.parse(`${upToMs}Z`);
  if (Number.isNaN(ms)) return undefined;
  const stamp = ms.toString(16).padStart(12, "0");
  const within = Math.min(Number(place), 0xfff).toString(16).padStart(3, "0");
  const id = `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${within}-0000-000000000000`;
  return { time: fileTime(new Date(ms)), id };
}

const timeAlone = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})(\d{4})?Z$/;

function momentOf(id: string): { ms: number; place: number } | undefined {
  if (id[14] !== "7") return undefined;
  const ms = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  return { ms, place: Number.parseInt(id.slice(15, 18), 16) };
}
