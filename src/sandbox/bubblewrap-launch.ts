import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { processStart } from "../lib/process-table.js";
import { markName } from "../lib/process-tree.js";
import type { BreachWatch } from "./breach-watch.js";
import type { BubblewrapCall } from "./bubblewrap-call.js";
import type { Launch, LaunchReport } from "./launch.js";
import type { CommandToConfine } from "./policy.js";
import type { DenyWatch } from "./rules/deny-watch.js";

/** Options for `launchOf`. */
interface LaunchSources {
  command: CommandToConfine;
  /** Program and leading arguments of the call, such as `unshare` before bubblewrap. */
  program: readonly [string, ...string[]];
  call: BubblewrapCall;
  shielded: boolean;
  warnings: readonly string[];
  /** Watch of the protected paths, as they are when the command starts. */
  watch: BreachWatch;
  /** Watch of the paths that rules deny; output waits for it. */
  denied?: DenyWatch;
  /** Releases the placeholders in the workspace. */
  release(): Promise<void>;
}

/** Creates the launch of a command with an open call of bubblewrap. */
export function launchOf(sources: LaunchSources): Launch {
  const { command, call, shielded, warnings, denied } = sources;
  const [file, ...before] = sources.program;
  let report: Promise<LaunchReport> | undefined;
  let breach: string | undefined;
  return {
    sandbox: "bubblewrap",
    file,
    args: [...before, ...call.args],
    cwd: command.workdir ?? command.cwd,
    // Visible only from outside: the environment of the command is set by the options.
    env: { [markName]: "sandbox" },
    descriptors: call.descriptors,
    shielded,
    warnings,
    spawned: () => call.closeInputs(),
    ...(denied === undefined ? {} : { settled: () => denied.settled() }),
    onBreach(kill) {
      const firstProcess = () => parseStatus(call.peekStatus()).childPid;
      const onBreach = (reason: string) => {
        breach ??= reason;
        kill();
      };
      sources.watch.start((path) => onBreach(replaced(path)));
      denied?.start((path) => {
        // All others end with the first process; those outside of it would take longer to end it.
        killQuietly(firstProcess());
        onBreach(appeared(path));
      }, firstProcess);
    },
    ended(stderr) {
      sources.watch.stop();
      report ??= endOfWatch(denied).then(() => finish(sources, stderr, breach));
      return report;
    },
  };
}

/** Creates the launch of a program that sees nothing of the machine, so that there is nothing to watch. */
export function isolatedLaunch(
  [file, ...before]: readonly [string, ...string[]],
  call: BubblewrapCall,
): Launch {
  return {
    sandbox: "bubblewrap",
    file,
    args: [...before, ...call.args],
    cwd: "/",
    env: { [markName]: "sandbox" },
    descriptors: call.descriptors,
    shielded: false,
    warnings: [],
    spawned: () => call.closeInputs(),
    ended: async (stderr) => reportOf(parseStatus(call.readStatus()), stderr),
  };
}

function killQuietly(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

/** What was read just before the end must not pass for output either. */
async function endOfWatch(denied: DenyWatch | undefined): Promise<void> {
  await denied?.settled();
  denied?.stop();
}

const replaced = (path: string) =>
  `The command was ended: ${path} was replaced or removed while it ran, so it could no longer be protected. Run the command again.`;

const appeared = (path: string) =>
  `The command was ended and its last output discarded: ${path}, which commands must not read, appeared or changed while it ran. Run the command again.`;

async function finish(
  { call, release }: LaunchSources,
  stderr: string,
  breach: string | undefined,
): Promise<LaunchReport> {
  const status = parseStatus(call.readStatus());
  if (await isGone(status.childPid)) await release();
  if (breach === undefined) return reportOf(status, stderr);
  return { ran: false, cause: "breach", reason: breach };
}

/**
 * Waits until the first process in the sandbox is gone: it ends shortly after bubblewrap, and until
 * then the command could create the paths that placeholders block.
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
/** It usually takes less time than a timer can measure. */
const soon = 1;

/** Status that bubblewrap wrote to its status descriptor. */
interface BubblewrapStatus {
  /** The first process in the sandbox, by its pid on the host; all others end with it. */
  childPid?: number;
  /** Set if the command was started and has ended. */
  exitCode?: number;
}

/** Parses the status: consecutive JSON documents; a kill may truncate the last one. */
export function parseStatus(text: string): BubblewrapStatus {
  const childPid = /"child-pid":\s*(\d+)/.exec(text)?.[1];
  const exitCode = /"exit-code":\s*(\d+)/.exec(text)?.[1];
  return {
    ...(childPid === undefined ? {} : { childPid: Number(childPid) }),
    ...(exitCode === undefined ? {} : { exitCode: Number(exitCode) }),
  };
}

/**
 * Determines whether the command ran; bubblewrap fails with exit codes that commands use too.
 *
 * Without a reported exit code the command did not run, unless it was killed: then bubblewrap
 * reports nothing.
 */
export function reportOf(status: BubblewrapStatus, stderr: string): LaunchReport {
  if (status.exitCode !== undefined) return { ran: true };
  const message = /^bwrap: (.+?)\r?$/m.exec(stderr)?.[1];
  if (message === undefined) {
    if (status.childPid !== undefined) return { ran: true };
    return {
      ran: false,
      cause: "sandbox",
      reason: stderr.trim() || "bubblewrap exited without an error message",
    };
  }
  const notStarted = /^execvp .*: ([^:]+)$/s.exec(message)?.[1];
  if (notStarted !== undefined) return { ran: false, cause: "command", reason: notStarted };
  return { ran: false, cause: "sandbox", reason: message };
}
