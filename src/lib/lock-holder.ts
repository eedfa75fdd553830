import { hostname } from "node:os";
import { randomUuid } from "./ids.js";
import { isProcessRunning, ownStart } from "./process-table.js";

/** Returns the text that identifies this process in a lock file. */
export function nameSelf(): string {
  return [process.pid, ownStart() || unknownStart, hostname(), randomUuid()].join(" ");
}

/** State of a holder; processes of another host cannot be checked. */
export type HolderState = "running" | "gone" | "elsewhere" | "unnamed";

/** Returns the state of the process that a lock names. */
export function stateOfHolder(holder: string): HolderState {
  const { pid, start, host } = readHolderName(holder);
  if (host === undefined) return "unnamed";
  if (host !== hostname()) return "elsewhere";
  return isProcessRunning(pid, start === unknownStart ? "" : start) ? "running" : "gone";
}

/** Parses the text of a lock; `host` is undefined if the text names no holder. */
export function readHolderName(holder: string): {
  pid: number;
  start: string;
  host: string | undefined;
} {
  const [pid = "", start = "", host] = holder.split(" ");
  return { pid: Number(pid), start, host };
}

/** Written on systems that do not expose process start times. */
const unknownStart = "-";
