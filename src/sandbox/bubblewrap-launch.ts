import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { markName } from "../lib/process-tree.js";
import { processStart } from "../lib/running-process.js";
import type { BreachWatch } from "./breach-watch.js";
import type { BubblewrapCall } from "./bubblewrap-call.js";
import { parseStatus, reportOf } from "./bubblewrap-report.js";
import type { Launch, LaunchReport } from "./launch.js";
import type { CommandToConfine } from "./options.js";

/** What a launch is made from. */
export interface LaunchSources {
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
