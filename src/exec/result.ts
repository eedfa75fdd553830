import type { SandboxKind } from "../sandbox/index.js";

/** How a command ended and what it wrote. */
export interface CommandResult {
  /** 124 after a time-out, -1 when it did not start or died by a signal. */
  exitCode: number;
  stdout: string;
  stderr: string;
  /** Both streams; in the order of arrival unless asked for otherwise. */
  aggregated: string;
  durationMs: number;
  timedOut: boolean;
  /** The caller's signal ended it. */
  interrupted: boolean;
  /** What it was confined by. */
  sandbox: SandboxKind;
  /** Why there is no exit code of its own. */
  failure?: CommandFailure;
}

/** Why a command has no exit code of its own. */
export type CommandFailure = StartFailure | SignalFailure | SandboxFailure;

/** The program could not be started. */
export interface StartFailure {
  kind: "start";
  /** What the system calls it: `No such file or directory`. */
  message: string;
  /** The system's number of the error; absent when we refused before asking the system. */
  errno?: number;
  /** The class of the error as the reference names it: `NotFound`. */
  errorKind: string;
}

/** Someone else than we ended it with a signal. */
export interface SignalFailure {
  kind: "signal";
  signal: NodeJS.Signals;
  number: number;
}

/** The sandbox could not be set up, so nothing ran, or could not be kept up, so the command was killed. */
export interface SandboxFailure {
  kind: "sandbox";
  message: string;
}
