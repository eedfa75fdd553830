import {
  failureMessage,
  LoginShells,
  runCommand,
  shellEnvironment,
  startLiveCommand,
} from "../exec/index.js";
import { readLoginShell } from "../lib/login-shell.js";
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

/** Runs the commands of hooks in the user's shell, outside of the sandbox. */
export class HookShell {
  readonly #env: Readonly<Record<string, string>>;
  readonly #argv: readonly string[];
  readonly #shells = new LoginShells({
    clock: { now: () => performance.now() },
    // No file: shells that need one continue to read the start-up files.
    folder: "/dev/null/none",
    async run({ argv, env, cwd }, signal) {
      const launch = plainLaunch({ argv, env, cwd });
      const { exitCode, stdout } = await runCommand({ launch, graceMs }, signal);
      return exitCode === 0 ? stdout : undefined;
    },
  });

  constructor(env: Readonly<Record<string, string | undefined>>) {
    const own = shellEnvironment({ inherit: "all", ignore_default_excludes: true }, env);
    // Its input is a socket, so that bash takes itself for a remote shell and reads ~/.bashrc,
    // unless another shell started it.
    this.#env = Number(own.SHLVL) >= 1 ? own : { ...own, SHLVL: "1" };
    this.#argv = shellOf(this.#env);
  }

  /**
   * Runs a command. It ends when all of its pipes are closed, or at its time limit; everything that
   * it started ends with it. It need not read its input.
   */
  async run(
    command: string,
    { cwd, json, timeoutSec, signal }: HandlerRun,
  ): Promise<HandlerResult> {
    if (signal.aborted) return notRun("interrupted");
    const argv = [...this.#argv, command];
    const policy = { mode: "danger-full-access" } as const;
    const start = this.#shells.spare({ argv, env: this.#env, workdir: cwd, cwd, policy });
    const live = await startLiveCommand({
      launch: plainLaunch({ ...start, cwd }),
      input: true,
      timeoutMs: timeoutSec * 1000,
      graceMs,
      waitForPipes: true,
      capBytes: mostOutput,
    });
    if ("kind" in live) return notRun(failureMessage(live));
    const end = () => live.end();
    signal.addEventListener("abort", end, { once: true });
    // It may have been aborted while the command was being started.
    if (signal.aborted) end();
    live.write(json);
    live.closeInput();
    const { exitCode, stdout, stderr, timedOut: isLate, bySignal } = await live.done;
    signal.removeEventListener("abort", end);
    if (signal.aborted) return notRun("interrupted");
    if (isLate) return timedOut(timeoutSec);
    return { exitCode: bySignal ? undefined : exitCode, stdout, stderr };
  }

  close(): Promise<void> {
    return this.#shells.close();
  }
}

/** Time for a hook to exit after its time limit, before it is killed. */
const graceMs = 100;

function shellOf(env: Readonly<Record<string, string>>): readonly string[] {
  if (process.platform === "win32") return [env.COMSPEC || "cmd.exe", "/C"];
  return [env.SHELL || readLoginShell() || "/bin/sh", "-lc"];
}
