import { once } from "node:events";
import { constants } from "node:os";
import { randomUuid } from "../lib/ids.js";
import { endTree, type ProcessTree, signalTree } from "../lib/process-tree.js";
import type { Launch, LaunchReport } from "../sandbox/index.js";
import { type CaptureOptions, OutputCapture, usualCapture } from "./capture.js";
import {
  endWithUs,
  exitOf,
  isStarted,
  limitDeltas,
  type OnOutput,
  type OutputGate,
  outputGate,
  readOutput,
  type StartedChild,
  startChild,
  waitFor,
  waitForPipes,
} from "./child.js";
import {
  type CommandFailure,
  type CommandResult,
  failureMessage,
  startFailureFromText,
} from "./failure.js";
import type { Hosting } from "./hosted.js";

/** A command to run to its end. */
export interface RunOptions {
  /** Launch from the sandbox. */
  launch: Launch;
  /** Time limit; ten seconds by default. */
  timeoutMs?: number;
  /** Receives the output while it is written: at most 10,000 chunks of at most 8 KiB. */
  onOutput?: OnOutput;
  /** Runs it in a terminal of another program, if the launch allows that. */
  hosting?: Hosting | undefined;
  /** Limits of the captured output. */
  capture?: CaptureOptions;
  /** Time between SIGTERM and SIGKILL; two seconds by default. */
  graceMs?: number;
  /** Time to read pipes after the exit if another process holds them open; 200 ms by default. */
  pipeWaitMs?: number;
}

/**
 * Runs a command and waits until it and everything it started has ended.
 *
 * Its standard input is empty. A time-out, `signal` and the exit of the command end the whole
 * process tree, including background processes. Never throws because of the command: a failure to
 * start is part of the result.
 *
 * The command also ends with this process. Only if this process is killed, an unconfined command
 * keeps running, since nothing is left to end it.
 */
export async function runCommand(
  options: RunOptions,
  signal?: AbortSignal,
): Promise<CommandResult> {
  const { launch } = options;
  const began = performance.now();
  const capture = new OutputCapture(options.capture ?? usualCapture());
  const ending = await runToEnd(options, capture, signal);
  const durationMs = performance.now() - began;
  const text = capture.text();
  const report = await launch.ended(text.stderr);
  const facts = {
    durationMs,
    timedOut: ending.timedOut,
    interrupted: ending.interrupted,
    sandbox: launch.sandbox,
  };
  if (ending.timedOut) return { exitCode: timeoutExitCode, ...text, ...facts };
  if (ending.interrupted) return { exitCode: -1, ...text, ...facts };
  const failure = isBreach(report) ? failureIn(report) : (ending.failure ?? failureIn(report));
  if (failure === undefined) return { exitCode: ending.code ?? -1, ...text, ...facts };
  if (failure.kind === "signal") return { exitCode: -1, ...text, ...facts, failure };
  const message = failureMessage(failure);
  return { exitCode: -1, stdout: "", stderr: message, aggregated: message, ...facts, failure };
}

const usualTimeout = 10_000;
const timeoutExitCode = 124;

/** End of a process. */
interface Ending {
  code: number | null;
  timedOut: boolean;
  interrupted: boolean;
  failure?: CommandFailure;
}

async function runToEnd(
  options: RunOptions,
  capture: OutputCapture,
  signal: AbortSignal | undefined,
): Promise<Ending> {
  const { launch, onOutput, graceMs = 2_000, pipeWaitMs = 200 } = options;
  const unstarted: Ending = { code: null, timedOut: false, interrupted: signal?.aborted === true };
  if (unstarted.interrupted) {
    launch.spawned();
    return unstarted;
  }
  const hosted = options.hosting && (await runHosted(options, options.hosting, capture, signal));
  if (hosted !== undefined) return hosted;
  const mark = launch.sandbox === "none" ? { mark: randomUuid() } : {};
  const child = await startChild(launch, { stdio: ["ignore", "pipe", "pipe"], ...mark });
  if (!isStarted(child)) return { ...unstarted, failure: child };
  const tree: ProcessTree = { pid: child.pid, ...mark };
  const takeBack = endWithUs(tree, launch);
  launch.onBreach?.(() => signalTree(tree, "SIGKILL"));
  const exited = exitOf(child);
  const closed = once(child, "close");
  const gate = outputGate(launch);
  const release = read(child, capture, gate, onOutput);
  const first = await waitFor(exited, options.timeoutMs ?? usualTimeout, signal);
  if (first !== "done") await endTree(tree, graceMs);
  const exit = await exited;
  await release();
  // A grandchild may still be writing, or hold the pipe open forever.
  await waitForPipes(closed, pipeWaitMs);
  await gate.drained();
  await endTree(tree, graceMs);
  takeBack();
  child.stdout?.destroy();
  child.stderr?.destroy();
  return {
    code: exit.code,
    timedOut: first === "timeout",
    interrupted: first === "abort",
    ...(exit.signal === null ? {} : { failure: diedBy(exit.signal) }),
  };
}

/** Runs a command in a terminal of its host; undefined if that is not possible. */
async function runHosted(
  { launch, onOutput, timeoutMs = usualTimeout, graceMs = 2_000 }: RunOptions,
  hosting: Hosting,
  capture: OutputCapture,
  signal: AbortSignal | undefined,
): Promise<Ending | undefined> {
  const { isHostable, startHosted } = await import("./hosted.js");
  if (!isHostable(launch)) return undefined;
  const deltas = onOutput === undefined ? undefined : limitDeltas(onOutput);
  const process = await startHosted(launch, hosting, {
    graceMs,
    onData(chunk) {
      capture.push("stdout", chunk);
      return deltas?.("stdout", chunk);
    },
  });
  if (process === undefined) return undefined;
  if ("kind" in process) {
    return { code: null, timedOut: false, interrupted: false, failure: process };
  }
  const first = await waitFor(process.ended, timeoutMs, signal);
  if (first !== "done") await process.end();
  const exit = await process.ended;
  return {
    code: exit.code,
    timedOut: first === "timeout",
    interrupted: first === "abort",
    ...(exit.signal === null ? {} : { failure: diedBy(exit.signal) }),
  };
}

function read(
  child: StartedChild,
  capture: OutputCapture,
  gate: OutputGate,
  onOutput: OnOutput | undefined,
): () => Promise<unknown> {
  const deltas = onOutput === undefined ? undefined : limitDeltas(onOutput);
  const [stdout, stderr] = (["stdout", "stderr"] as const).map((stream) =>
    readOutput(child[stream], (chunk) =>
      gate.pass(chunk, () => {
        capture.push(stream, chunk);
        return deltas?.(stream, chunk);
      }),
    ),
  );
  return () => Promise.all([stdout?.(), stderr?.()]);
}

function diedBy(signal: NodeJS.Signals): CommandFailure {
  return { kind: "signal", signal, number: constants.signals[signal] };
}

function isBreach(report: LaunchReport): boolean {
  return !report.ran && report.cause === "breach";
}

function failureIn(report: LaunchReport): CommandFailure | undefined {
  if (report.ran) return undefined;
  if (report.cause === "breach") return { kind: "sandbox", message: report.reason };
  if (report.cause === "command") return startFailureFromText(report.reason);
  return { kind: "sandbox", message: `The sandbox could not be set up: ${report.reason}` };
}
