import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { registerCommand } from "../lib/own-commands.js";
import { markName, type ProcessTree, signalTree } from "../lib/process-tree.js";
import type { ExecOutputStream } from "../protocol/types.js";
import type { Launch } from "../sandbox/index.js";
import { refusedStart, type StartFailure, startFailure } from "./failure.js";
import { type Stdio, withSealedStdio } from "./sealed-stdio.js";

/** A process that runs. */
export type StartedChild = ChildProcess & { pid: number };

/** How a process ended: by itself with a code, or by a signal. */
export interface ChildExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** What a process is given besides what its launch says. */
interface ChildOptions {
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

/** The trees of this process; there is one process, so there is one set. */
const living = new Set<ProcessTree>();

/**
 * Makes a tree end when this process does, for whatever reason but being killed: a client that is
 * gone or a bug of ours must not leave commands behind. Returns what takes that back.
 */
export function endWithUs(tree: ProcessTree): () => void {
  if (living.size === 0) process.on("exit", killAll);
  living.add(tree);
  return () => {
    living.delete(tree);
    if (living.size === 0) process.off("exit", killAll);
  };
}

/** Twice, since what is being killed may have been starting something. */
function killAll(): void {
  for (let round = 0; round < 2; round++) {
    for (const tree of living) signalTree(tree, "SIGKILL");
  }
}

/**
 * Passes on what a process writes. If `onChunk` returns a promise, the stream is paused until that
 * resolves, so that a process is slowed down by whoever reads its output.
 *
 * Call the result when the process has ended: from then on nothing is held back, since what is left is
 * little. It resolves when what was held back has been passed on.
 */
export function readOutput(
  stream: Readable | null,
  onChunk: (chunk: Buffer) => unknown,
): () => Promise<void> {
  let hasEnded = false;
  stream?.on("data", (chunk: Buffer) => {
    const room = onChunk(chunk);
    if (!(room instanceof Promise) || hasEnded) return;
    stream.pause();
    void room.then(() => stream.resume());
  });
  return async () => {
    hasEnded = true;
    if (stream === null || !stream.isPaused()) return;
    stream.resume();
    await nextTurn();
  };
}

/**
 * Gets a piece of what a command writes as soon as it is there. If it returns a promise, no more is
 * read from the command before that resolves.
 */
export type OnOutput = (stream: ExecOutputStream, chunk: Buffer) => unknown;

const largestDelta = 8192;
const mostDeltas = 10_000;

/** Passes output on in small pieces, and stops after so many that no one could still be reading. */
export function limitDeltas(onOutput: OnOutput): OnOutput {
  let sent = 0;
  return (stream, chunk) => {
    let room: unknown;
    for (let at = 0; at < chunk.length && sent < mostDeltas; at += largestDelta) {
      sent++;
      room = onOutput(stream, chunk.subarray(at, at + largestDelta));
    }
    return room;
  };
}

/** What a timer can hold; longer than anyone waits. */
const longestTimer = 2 ** 31 - 1;

/** Waits until something is done, the time is over, or the signal is given; whichever is first. */
export function waitFor(
  done: Promise<unknown>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<"done" | "timeout" | "abort"> {
  return new Promise((resolve) => {
    const settle = (outcome: "done" | "timeout" | "abort") => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      resolve(outcome);
    };
    const onAbort = () => settle("abort");
    const timer = setTimeout(() => settle("timeout"), Math.min(timeoutMs, longestTimer));
    signal?.addEventListener("abort", onAbort, { once: true });
    void done.then(() => settle("done"));
    if (signal?.aborted) settle("abort");
  });
}

/**
 * Waits for pipes to be closed, but no longer than this after the process they belong to has ended.
 *
 * On a busy machine the time can be over before anything was read at all, so what is there then is
 * still taken.
 */
export async function waitForPipes(closed: Promise<unknown>, timeoutMs: number): Promise<void> {
  if ((await waitFor(closed, timeoutMs)) === "done") return;
  await nextTurn();
  await nextTurn();
}
