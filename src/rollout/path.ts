import { join } from "node:path";

/** The file of a conversation: by local day, named by its start and its id. */
export function rolloutPath(home: string, started: Date, id: string): string {
  const [hours, minutes, seconds] = [
    started.getHours(),
    started.getMinutes(),
    started.getSeconds(),
  ].map(two);
  const [year, month, day] = dateParts(started);
  const name = `rollout-${year}-${month}-${day}T${hours}-${minutes}-${seconds}-${id}.jsonl`;
  return join(home, "sessions", rolloutDay(started), name);
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
