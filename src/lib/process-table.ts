import { existsSync, readdirSync, readFileSync } from "node:fs";
import { errorCode } from "./errors.js";

/** A process that runs, as Linux tells of it in /proc. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
}

/** The numbers of all processes; none where the system does not tell. */
export function processNumbers(): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .map(Number)
    .filter((number) => number > 0);
}

/** A process by its number; nothing for one that is gone, or only waits to be reaped. */
export function processEntry(pid: number): ProcessEntry | undefined {
  const text = readQuietly(`/proc/${pid}/stat`);
  const [state, parent, group] = text?.slice(text.lastIndexOf(")") + 2).split(" ") ?? [];
  if (state === undefined || state === "Z" || state === "X") return undefined;
  return { pid, parent: Number(parent), group: Number(group) };
}

/** All processes that run. */
export function processEntries(): ProcessEntry[] {
  return processNumbers().flatMap((pid) => processEntry(pid) ?? []);
}

/** The environment that a process began with, one entry a variable. */
export function processEnvironment(pid: number): string[] {
  return readQuietly(`/proc/${pid}/environ`)?.split("\0") ?? [];
}

/** Processes started after one: their numbers go up from it and, at the end, start again below it. */
export function numbersSince(pid: number): number[] {
  const last = Number(readQuietly("/proc/loadavg")?.trim().split(" ").at(-1) ?? 0);
  if (areGone(pid, last)) return [];
  return processNumbers().filter((candidate) =>
    last >= pid ? candidate > pid && candidate <= last : candidate > pid || candidate <= last,
  );
}

/** Mostly a command starts a few others that end before it: no need to go through all there are. */
function areGone(after: number, last: number): boolean {
  if (last < after || last - after > few) return false;
  for (let pid = after + 1; pid <= last; pid++) if (existsSync(`/proc/${pid}`)) return false;
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
 * When a process began, as a word to compare; process numbers are used again, start times are not.
 *
 * Empty where the system does not say, or when no such process runs.
 */
export function processStart(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The program's name stands in parentheses and may itself have blanks and parentheses.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return deadStates.has(fields[0] ?? "") ? "" : (fields[startTimeField] ?? "");
  } catch {
    return "";
  }
}

/** The same of this process, looked up once. */
export function ownStart(): string {
  own ??= processStart(process.pid);
  return own;
}

let own: string | undefined;

/** Whether that very process still runs; where start times are unknown, whether one of that number does. */
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
/** Counted from the state, which follows the name. */
const startTimeField = 19;
