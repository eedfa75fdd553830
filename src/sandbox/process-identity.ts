import { readFileSync } from "node:fs";

/** Names a process for as long as the system runs: numbers are used again, start times are not. */
export interface ProcessIdentity {
  pid: number;
  /** In ticks since the system started. */
  startTime: string;
}

/** The identity of a running process; nothing when there is none, or it is only waiting to be reaped. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const fields = statFields(pid);
  const state = fields?.[0];
  const startTime = fields?.[startTimeField];
  if (state === undefined || startTime === undefined || deadStates.has(state)) return undefined;
  return { pid, startTime };
}

/** Whether that very process still runs. */
export function isRunning({ pid, startTime }: ProcessIdentity): boolean {
  return identityOf(pid)?.startTime === startTime;
}

const deadStates = new Set(["Z", "X", "x"]);
/** Counted from the state, which follows the program's name. */
const startTimeField = 19;

function statFields(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name stands in parentheses and may itself have blanks and parentheses.
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}
