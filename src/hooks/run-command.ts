import { failureMessage, startLiveCommand } from "../exec/index.js";
import { plainLaunch } from "../sandbox/index.js";
import type { HandlerResult } from "./answer.js";

/** A run of a handler. */
export interface HandlerRun {
  cwd: string;
  /** The input as JSON; shared by all hooks of a call. */
  json: Buffer<ArrayBuffer>;
  timeoutSec: number;
  signal: AbortSignal;
}

/** Bytes of output and of HTTP bodies that are read; the rest is discarded. */
export const mostOutput = 64 * 1024;

/** Result of a handler that exceeded its time limit. */
export function timedOut(timeoutSec: number): HandlerResult {
  return notRun(`hook timed out after ${timeoutSec}s`);
}

/** Result of a handler that could not run, or not to its end. */
export function notRun(error: string): HandlerResult {
  return { exitCode: undefined, stdout: "", stderr: "", error };
}

/**
 * Runs the command of a hook in the user's shell, outside of the sandbox.
 *
 * It ends when all of its pipes are closed, or at its time limit; everything that it started ends
 * with it. It need not read its input.
 */
export async function runHookCommand(
  command: string,
  { cwd, json, timeoutSec, signal }: HandlerRun,
  env: Readonly<Record<string, string>>,
): Promise<HandlerResult> {
  if (signal.aborted) return notRun("interrupted");
  const live = await startLiveCommand({
    launch: plainLaunch({ argv: [...shellOf(env), command], cwd, env }),
    input: true,
    timeoutMs: timeoutSec * 1000,
    graceMs: 100,
    waitForPipes: true,
    capBytes: mostOutput,
  });
  if ("kind" in live) return notRun(failureMessage(live));
  const end = () => live.end();
  signal.addEventListener("abort", end, { once: true });
  live.write(json);
  live.closeInput();
  const { exitCode, stdout, stderr, timedOut: isLate, bySignal } = await live.done;
  signal.removeEventListener("abort", end);
  if (signal.aborted) return notRun("interrupted");
  if (isLate) return timedOut(timeoutSec);
  return { exitCode: bySignal ? undefined : exitCode, stdout, stderr };
}

function shellOf(env: Readonly<Record<string, string>>): string[] {
  if (process.platform === "win32") return [env.COMSPEC || "cmd.exe", "/C"];
  return [env.SHELL || "/bin/sh", "-lc"];
}
