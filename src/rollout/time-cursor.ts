import type { Cursor } from "./cursor.js";
import { fileTime } from "./path.js";

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
export function parseTimeCursor(token: string): Cursor | undefined {
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
