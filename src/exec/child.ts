import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { markName, type ProcessTree, registerCommand, signalTree } from "../lib/process-tree.js";
import type { ExecOutputStream } from "../protocol/types.js";
import type { Launch } from "../sandbox/index.js";
import { refusedStart, type StartFailure, startFailure } from "./failure.js";
import { guardTree } from "./guard.js";
import { type Stdio, withSealedStdio } from "./sealed-stdio.js";

/** A process that runs. */
export type StartedChild = ChildProcess & { pid: number };

/** Exit of a process: a code or a signal. */
export interface ChildExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Options for starting a process besides its launch. */
interface ChildOptions {
  /** Its standard input, output and error. */
  stdio: Stdio;
  /** Marks it and its children, so that they can be found again. */
  mark?: string;
  /** Started in place of the launch's own program. */
  through?: { file: string; args: readonly string[] };
}

/** Starts a process as the leader of a new process group and session. */
export async function startChild(
  launch: Launch,
  { stdio, mark, through }: ChildOptions,
): Promise<StartedChild | StartFailure> {
  const { file, args } = through ?? launch;
  const env = mark === undefined ? launch.env : { ...launch.env, [markName]: mark };
  const start = (given: Stdio) =>
    spawn(file, args, { cwd: launch.cwd, env, stdio: given, detached: true });
  const all: Stdio = [...stdio, ...launch.descriptors];
  // It may run for a while before the caller can guard it.
  const release = mark === undefined ? undefined : guardTree({ pid: 0, mark });
  let child: ChildProcess | undefined;
  try {
    if (launch.file === "") return refusedStart("command args are empty");
    child = launch.sandbox === "none" ? start(all) : withSealedStdio(all, start);
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
    launch.spawned(child);
    if (release !== undefined) setImmediate(release);
  }
}

/** Resolves when a process has ended; its pipes may be open for longer. */
export function exitOf(child: StartedChild): Promise<ChildExit> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
}

/** Returns true if the process was started. */
export function isStarted(child: ChildProcess | StartFailure): child is StartedChild {
  return "pid" in child && child.pid !== undefined;
}

/** The trees of this process; there is one process, so there is one set. */
const living = new Set<ProcessTree>();

/**
 * Ends a tree when this process exits, also if it is killed: a lost client or a crash must not leave
 * commands running. Returns a function that cancels this.
 */
export function endWithUs(tree: ProcessTree, launch?: Pick<Launch, "sandbox">): () => void {
  if (living.size === 0) process.on("exit", killAll);
  living.add(tree);
  // Bubblewrap ends its processes itself, and an editor can end those in its terminals.
  const isGuarded = launch !== undefined && launch.sandbox !== "bubblewrap";
  const release = isGuarded ? guardTree(tree) : undefined;
  return () => {
    release?.();
    living.delete(tree);
    if (living.size === 0) process.off("exit", killAll);
  };
}

/** Twice, because a process being killed may have just forked. */
function killAll(): void {
  for (let round = 0; round < 2; round++) {
    for (const tree of living) signalTree(tree, "SIGKILL");
  }
}

/**
 * Reads the output of a process. If `onChunk` returns a promise, the stream is paused until it
 * resolves, so that a slow reader slows down the process.
 *
 * Call the returned function when the process has ended: the rest, which is small, is then read
 * without pauses. It resolves when everything was passed on.
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

/** Passes output on in order, once the sandbox has settled that it contains nothing denied. */
export interface OutputGate {
  /** Returns a promise if reading must pause. */
  pass(chunk: Buffer, onChunk: (chunk: Buffer) => unknown): unknown;
  /** Resolves when everything was passed on or discarded. */
  drained(): Promise<void>;
}

/** Creates the gate of a launch; without rules that deny, it passes everything at once. */
export function outputGate({ settled }: Pick<Launch, "settled">): OutputGate {
  let last: Promise<void> = Promise.resolve();
  if (settled === undefined) {
    return { pass: (chunk, onChunk) => onChunk(chunk), drained: () => last };
  }
  return {
    pass(chunk, onChunk) {
      last = last.then(async () => {
        if (await settled()) await onChunk(chunk);
      });
      return last;
    },
    drained: () => last,
  };
}

/**
 * Receives a chunk of output as soon as it is read. If it returns a promise, reading pauses until
 * that resolves.
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

/** The maximum delay of a timer. */
const longestTimer = 2 ** 31 - 1;

/** Resolves when `done` resolves, the time is up, or the signal aborts; whichever is first. */
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
 * Waits for pipes to close, at most `timeoutMs` after the exit of their process.
 *
 * On a busy machine the time may be up before anything was read, so the data available by then is
 * still read.
 */
export async function waitForPipes(closed: Promise<unknown>, timeoutMs: number): Promise<void> {
  if ((await waitFor(closed, timeoutMs)) === "done") return;
  await nextTurn();
  await nextTurn();
}
