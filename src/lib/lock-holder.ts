import { hostname } from "node:os";
import { randomUuid } from "./ids.js";
import { isProcessRunning, ownStart } from "./process-table.js";

/** This process as the holder of one lock, in the words that are written into the lock. */
export function nameSelf(): string {
  return [process.pid, ownStart() || unknownStart, hostname(), randomUuid()].join(" ");
}

/** What becomes of a holder; processes of another machine cannot be looked at. */
export type HolderState = "running" | "gone" | "elsewhere" | "unnamed";

/** Whether the process that a lock names still runs. */
export function stateOfHolder(holder: string): HolderState {
  const { pid, start, host } = readHolderName(holder);
  if (host === undefined) return "unnamed";
  if (host !== hostname()) return "elsewhere";
  return isProcessRunning(pid, start === unknownStart ? "" : start) ? "running" : "gone";
}

/** The process that a lock names, and its machine unless there is no name in it. */
export function readHolderName(holder: string): {
  pid: number;
  start: string;
  host: string | undefined;
} {
  const [pid = "", start = "", host] = holder.split(" ");
  return { pid: Number(pid), start, host };
}

/** Where the system does not tell when processes began. */
const unknownStart = "-";
