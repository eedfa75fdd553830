import { existsSync, readdirSync, readFileSync } from "node:fs";
import { errorCode } from "./errors.js";

/** A running process, as listed in Linux's /proc. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
}

/** Returns the pids of all processes; empty on systems without /proc. */
export function processNumbers(): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .map(Number)
    .filter((number) => number > 0);
}

/** Returns a process by its pid, or `undefined` if it is gone or a zombie. */
export function processEntry(pid: number): ProcessEntry | undefined {
  const text = readQuietly(`/proc/${pid}/stat`);
  const [state, parent, group] = text?.slice(text.lastIndexOf(")") + 2).split(" ") ?? [];
  if (state === undefined || state === "Z" || state === "X") return undefined;
  return { pid, parent: Number(parent), group: Number(group) };
}

/** Returns all running processes. */
export function processEntries(): ProcessEntry[] {
  return processNumbers().flatMap((pid) => processEntry(pid) ?? []);
}

/** Returns the initial environment of a process, one entry per variable. */
export function processEnvironment(pid: number): string[] {
  return readQuietly(`/proc/${pid}/environ`)?.split("\0") ?? [];
}

/** Returns the pids assigned after `pid`, without `known` ones; they increase and wrap around at the maximum. */
export function numbersSince(pid: number, known: { has(pid: number): boolean }): number[] {
  const last = Number(readQuietly("/proc/loadavg")?.trim().split(" ").at(-1) ?? 0);
  if (areGone(pid, last, known)) return [];
  return processNumbers().filter((candidate) => {
    if (known.has(candidate)) return false;
    const isNewer = candidate > pid;
    return last >= pid ? isNewer && candidate <= last : isNewer || candidate <= last;
  });
}

/** Most commands start a few processes that end first; then there is no need to list all of them. */
function areGone(after: number, last: number, known: { has(pid: number): boolean }): boolean {
  if (last < after || last - after > few) return false;
  for (let pid = after + 1; pid <= last; pid++) {
    if (!known.has(pid) && existsSync(`/proc/${pid}`)) return false;
  }
  return true;
}

const few = 30;

function readQuietly(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

/**
 * Returns the start time of a process, for comparison: pids are reused, start times are not.
 *
 * Empty if the system does not expose it, or if no such process is running.
 */
export function processStart(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The program name is in parentheses and may itself contain blanks and parentheses.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return deadStates.has(fields[0] ?? "") ? "" : (fields[startTimeField] ?? "");
  } catch {
    return "";
  }
}

/** The start time of this process, read once. */
export function ownStart(): string {
  own ??= processStart(process.pid);
  return own;
}

let own: string | undefined;

/** Returns true if that very process is running; without a start time, if any process has the pid. */
export function isProcessRunning(pid: number, start: string): boolean {
  if (start !== "") return processStart(pid) === start;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}

const deadStates = new Set(["Z", "X", "x"]);
/** Index after the state, which follows the name. */
const startTimeField = 19;
