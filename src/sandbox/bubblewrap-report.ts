import type { LaunchReport } from "./launch.js";

/** What bubblewrap wrote to its status descriptor. */
export interface BubblewrapStatus {
  /** The first process in the sandbox, as the host counts; all others end with it. */
  childPid?: number;
  /** Present when the command was really started, and has ended. */
  exitCode?: number;
}

/** Reads the status: JSON documents one after the other, of which a kill may cut the last. */
export function parseStatus(text: string): BubblewrapStatus {
  const childPid = /"child-pid":\s*(\d+)/.exec(text)?.[1];
  const exitCode = /"exit-code":\s*(\d+)/.exec(text)?.[1];
  return {
    ...(childPid === undefined ? {} : { childPid: Number(childPid) }),
    ...(exitCode === undefined ? {} : { exitCode: Number(exitCode) }),
  };
}

/**
 * Whether the command ran; bubblewrap's own failures have the exit status of many a command.
 *
 * Without a reported exit code it did not run, unless it was killed: then bubblewrap said nothing.
 */
export function reportOf(status: BubblewrapStatus, stderr: string): LaunchReport {
  if (status.exitCode !== undefined) return { ran: true };
  const message = /^bwrap: (.+?)\r?$/m.exec(stderr)?.[1];
  if (message === undefined) {
    if (status.childPid !== undefined) return { ran: true };
    return {
      ran: false,
      cause: "sandbox",
      reason: stderr.trim() || "bubblewrap ended without a word",
    };
  }
  const notStarted = /^execvp .*: ([^:]+)$/s.exec(message)?.[1];
  if (notStarted !== undefined) return { ran: false, cause: "command", reason: notStarted };
  return { ran: false, cause: "sandbox", reason: message };
}
