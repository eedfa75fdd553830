import { readFileSync } from "node:fs";
import { errorCode } from "./error-code.js";

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
