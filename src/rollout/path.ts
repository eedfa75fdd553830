import { join } from "node:path";

/** The file of a conversation: by local day, named by its start and its id. */
export function rolloutPath(home: string, started: Date, id: string): string {
  const [year, month, day] = [started.getFullYear(), started.getMonth() + 1, started.getDate()];
  const date = `${year}-${two(month)}-${two(day)}`;
  const time = [started.getHours(), started.getMinutes(), started.getSeconds()].map(two).join("-");
  const name = `rollout-${date}T${time}-${id}.jsonl`;
  return join(home, "sessions", String(year), two(month), two(day), name);
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
