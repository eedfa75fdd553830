import { join } from "node:path";

/** What the name of a rollout file says. */
export interface RolloutFileName {
  /** Local time when the conversation began, `2025-01-31T12-00-00`; it sorts as it stands. */
  time: string;
  /** The conversation. */
  id: string;
  /** The file's own id, where a conversation has had several files; else that of the conversation. */
  rolloutId: string;
}

/** Reads the name of a rollout file; nothing when it is the name of something else. */
export function parseRolloutFileName(name: string): RolloutFileName | undefined {
  const found = pattern.exec(name);
  if (found === null) return undefined;
  const [, time = "", id = "", rolloutId = id] = found;
  return isTime(time)
    ? { time, id: id.toLowerCase(), rolloutId: rolloutId.toLowerCase() }
    : undefined;
}

/** Whether a text is a UUID, as ids of conversations are. */
export function isUuid(text: string): boolean {
  return uuidOnly.test(text);
}

/** Whether a text is a time as it stands in file names, and such a time exists. */
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

/** The file of a conversation: by local day, named by its start and its id. */
export function rolloutPath(home: string, started: Date, id: string): string {
  const name = `rollout-${fileTime(started)}-${id}.jsonl`;
  return join(home, "sessions", rolloutDay(started), name);
}

/** Local time as it stands in file names, `2025-01-31T12-00-00`. */
export function fileTime(date: Date): string {
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two);
  return `${dateParts(date).join("-")}T${time.join("-")}`;
}

/** The folder of a local day below that of the sessions. */
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
