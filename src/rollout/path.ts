import { join } from "node:path";

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
