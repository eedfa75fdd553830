import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { processStart } from "../lib/process-table.js";
import { markName } from "../lib/process-tree.js";
import type { BreachWatch } from "./breach-watch.js";
import type { BubblewrapCall } from "./bubblewrap-call.js";
import type { Launch, LaunchReport } from "./launch.js";
import type { CommandToConfine } from "./policy.js";

/** What a launch is made from. */
interface LaunchSources {
  command: CommandToConfine;
  /** How bubblewrap is called: where it is, and what stands in front of it. */
  program: readonly [string, ...string[]];
  call: BubblewrapCall;
  shielded: boolean;
  warnings: readonly string[];
  /** Protected paths, as they are when the command starts. */
  watch: BreachWatch;
  /** Gives back what was held in the workspace for the time of the command. */
  release(): Promise<void>;
}

/** How to start a command with an open call of bubblewrap, and what to do when it has ended. */
export function launchOf(sources: LaunchSources): Launch {
  const { command, call, shielded, warnings } = sources;
  const [file, ...before] = sources.program;
  let report: Promise<LaunchReport> | undefined;
  let breach: string | undefined;
  return {
    sandbox: "bubblewrap",
    file,
    args: [...before, ...call.args],
    cwd: command.workdir ?? command.cwd,
    // Seen from outside alone: the command's own environment is set by the options.
    env: { [markName]: "sandbox" },
    descriptors: call.descriptors,
    shielded,
    warnings,
    spawned: () => call.closeInputs(),
    onBreach(kill) {
      sources.watch.start((path) => {
        breach = path;
        kill();
      });
    },
    ended(stderr) {
      sources.watch.stop();
      report ??= finish(sources, stderr, breach);
      return report;
    },
  };
}

async function finish(
  { call, release }: LaunchSources,
  stderr: string,
  breach: string | undefined,
): Promise<LaunchReport> {
  const status = parseStatus(call.readStatus());
  if (await isGone(status.childPid)) await release();
  if (breach === undefined) return reportOf(status, stderr);
  const reason = `The command was ended: ${breach} was replaced or removed while it ran, so it could no longer be protected. Run the command again.`;
  return { ran: false, cause: "breach", reason };
}

/**
 * Waits until the last process in the sandbox is gone: it ends a moment after bubblewrap, and until
 * then could make what the placeholders keep from being made.
 */
async function isGone(firstProcess: number | undefined): Promise<boolean> {
  if (firstProcess === undefined) return true;
  const began = performance.now();
  while (processStart(firstProcess) !== "") {
    const waited = performance.now() - began;
    if (waited > longestEnd) return false;
    await (waited < soon ? nextTurn() : delay(1));
  }
  return true;
}

const longestEnd = 2_000;
/** It is mostly a matter of less than a timer can measure. */
const soon = 1;

/** What bubblewrap wrote to its status descriptor. */
interface BubblewrapStatus {
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
