import { join } from "node:path";

/** Parts of a rollout file name. */
export interface RolloutFileName {
  /** Local time the conversation started, `2025-01-31T12-00-00`; sorts as text. */
  time: string;
  /** Conversation id. */
  id: string;
  /** Id of the file if a conversation has several; otherwise the conversation id. */
  rolloutId: string;
}

/** Parses the name of a rollout file; returns undefined for other files. */
export function parseRolloutFileName(name: string): RolloutFileName | undefined {
  const found = pattern.exec(name);
  if (found === null) return undefined;
  const [, time = "", id = "", rolloutId = id] = found;
  return isTime(time)
    ? { time, id: id.toLowerCase(), rolloutId: rolloutId.toLowerCase() }
    : undefined;
}

/** Returns true if a text is a UUID, the format of conversation ids. */
export function isUuid(text: string): boolean {
  return uuidOnly.test(text);
}

/** Returns true if a text is a valid time in the format of file names. */
export function isTime(text: string): boolean {
  const iso = text.replace(timePattern, "$1T$2:$3:$4Z");
  const date = new Date(iso);
  return (
    iso !== text &&
    !Number.isNaN(date.getTime()) &&
    date.toISOString().slice(0, 19) === iso.slice(0, 19)
  );
}

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const uuidOnly = new RegExp(`^${uuid}$`, "i");
const timePattern = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)$/;
const pattern = new RegExp(
  `^rollout-(\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d)-(${uuid})(?:_(${uuid}))?\\.jsonl$`,
  "i",
);

/** Returns the path of a conversation's file: by local day, named by start time and id. */
export function rolloutPath(home: string, started: Date, id: string): string {
  const name = `rollout-${fileTime(started)}-${id}.jsonl`;
  return join(home, "sessions", rolloutDay(started), name);
}

/** Formats a local time for file names, `2025-01-31T12-00-00`. */
export function fileTime(date: Date): string {
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two);
  return `${dateParts(date).join("-")}T${time.join("-")}`;
}

/** Returns the folder of a local day, relative to `sessions`. */
export function rolloutDay(date: Date): string {
  return join(...dateParts(date));
}

function dateParts(date: Date): [string, string, string] {
  const year = String(date.getFullYear()).padStart(4, "0");
  return [year, two(date.getMonth() + 1), two(date.getDate())];
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
