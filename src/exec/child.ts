import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { registerCommand } from "../lib/own-commands.js";
import { markName } from "../lib/process-tree.js";
import type { Launch } from "../sandbox/index.js";
import type { StartFailure } from "./result.js";
import { type Stdio, withSealedStdio } from "./sealed-stdio.js";
import { refusedStart, startFailure } from "./start-failure.js";

/** A process that runs. */
export type StartedChild = ChildProcess & { pid: number };

/** How a process ended: by itself with a code, or by a signal. */
export interface ChildExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** What a process is given besides what its launch says. */
export interface ChildOptions {
  /** Its standard input, output and error. */
  stdio: Stdio;
  /** Marks it and its children, so that they can be found again. */
  mark?: string;
  /** Started in place of the launch's own program. */
  through?: { file: string; args: readonly string[] };
}

/** Starts a process as the leader of a group and a session of its own. */
export async function startChild(
  launch: Launch,
  { stdio, mark, through }: ChildOptions,
): Promise<StartedChild | StartFailure> {
  const { file, args } = through ?? launch;
  const env = mark === undefined ? launch.env : { ...launch.env, [markName]: mark };
  const start = (given: Stdio) =>
    spawn(file, args, { cwd: launch.cwd, env, stdio: given, detached: true });
  const all: Stdio = [...stdio, ...launch.descriptors];
  try {
    if (launch.file === "") return refusedStart("command args are empty");
    const child = launch.sandbox === "none" ? start(all) : withSealedStdio(all, start);
    if (isStarted(child)) {
      child.once("exit", registerCommand(child.pid, launch.sandbox === "bubblewrap"));
      child.on("error", () => {}); // A signal that came too late is no one's trouble.
      return child;
    }
    const [error] = await once(child, "error");
    return startFailure(error);
  } catch (error) {
    return startFailure(error);
  } finally {
    launch.spawned();
  }
}

/** Resolves when a process has ended; its pipes may be open for longer. */
export function exitOf(child: StartedChild): Promise<ChildExit> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
}

/** Whether starting gave a process. */
export function isStarted(child: ChildProcess | StartFailure): child is StartedChild {
  return "pid" in child && child.pid !== undefined;
}
