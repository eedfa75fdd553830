import { constants } from "node:os";
import { errorCode, errorText } from "../lib/errors.js";
import type { SandboxKind } from "../sandbox/index.js";

/** Result and output of a command. */
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
  /** Sandbox that confined it. */
  sandbox: SandboxKind;
  /** Reason why there is no exit code. */
  failure?: CommandFailure;
}

/** Reason why a command has no exit code. */
export type CommandFailure = StartFailure | SignalFailure | SandboxFailure;

/** The program could not be started. */
export interface StartFailure {
  kind: "start";
  /** Message of the system: `No such file or directory`. */
  message: string;
  /** The system's number of the error; absent when we refused before asking the system. */
  errno?: number;
  /** The class of the error as the reference names it: `NotFound`. */
  errorKind: string;
}

/** A signal from outside ended the command. */
export interface SignalFailure {
  kind: "signal";
  signal: NodeJS.Signals;
  number: number;
}

/** The sandbox failed before the start, so nothing ran, or later, so the command was killed. */
export interface SandboxFailure {
  kind: "sandbox";
  message: string;
}

/** A program that was refused before the system was asked. */
export function refusedStart(message: string): StartFailure {
  return { kind: "start", message, errorKind: "InvalidInput" };
}

/** Converts an error of `spawn`. */
export function startFailure(error: unknown): StartFailure {
  const code = String(errorCode(error) ?? "");
  if (code === "ERR_INVALID_ARG_VALUE") return refusedStart("nul byte found in provided data");
  const known = systemErrors[code];
  const errno = constants.errno[code as keyof typeof constants.errno];
  if (known === undefined || errno === undefined) {
    return refusedStart(errorText(error));
  }
  return { kind: "start", message: known[0], errno, errorKind: known[1] };
}

/** The same from the system's text alone, which is all that bubblewrap passes on. */
export function startFailureFromText(text: string): StartFailure {
  const code = Object.entries(systemErrors).find(([, [message]]) => message === text)?.[0];
  return code === undefined
    ? refusedStart(text)
    : startFailure(Object.assign(new Error(), { code }));
}

/** The text of the C library and the name the reference has for it. */
const systemErrors: Record<string, readonly [message: string, errorKind: string]> = {
  E2BIG: ["Argument list too long", "ArgumentListTooLong"],
  EACCES: ["Permission denied", "PermissionDenied"],
  EAGAIN: ["Resource temporarily unavailable", "WouldBlock"],
  EINVAL: ["Invalid argument", "InvalidInput"],
  EIO: ["Input/output error", "Uncategorized"],
  EISDIR: ["Is a directory", "IsADirectory"],
  ELOOP: ["Too many levels of symbolic links", "FilesystemLoop"],
  EMFILE: ["Too many open files", "Uncategorized"],
  ENAMETOOLONG: ["File name too long", "InvalidFilename"],
  ENFILE: ["Too many open files in system", "Uncategorized"],
  ENOENT: ["No such file or directory", "NotFound"],
  ENOEXEC: ["Exec format error", "Uncategorized"],
  ENOMEM: ["Cannot allocate memory", "OutOfMemory"],
  ENOTDIR: ["Not a directory", "NotADirectory"],
  EPERM: ["Operation not permitted", "PermissionDenied"],
  ETXTBSY: ["Text file busy", "ExecutableFileBusy"],
};

/** Formats a failure for the user. */
export function failureMessage(failure: CommandFailure): string {
  if (failure.kind === "sandbox") return failure.message;
  if (failure.kind === "signal") return "sandbox error: command was killed by a signal";
  return failure.errno === undefined
    ? failure.message
    : `${failure.message} (os error ${failure.errno})`;
}

/** Formats a failure for the model. */
export function executionError(failure: CommandFailure): string {
  return `execution error: ${debugForm(failure)}`;
}

/** Formats a denial by the sandbox for the user: the command's output, if it has any. */
export function deniedMessage({
  exitCode,
  stdout,
  stderr,
  aggregated,
}: Pick<CommandResult, "exitCode" | "stdout" | "stderr" | "aggregated">): string {
  if (aggregated.trim() !== "") return aggregated;
  const output = [stderr, stdout].filter((text) => text.trim() !== "").join("\n");
  return output === "" ? `command failed inside sandbox with exit code ${exitCode}` : output;
}

/**
 * Formats a denial by the sandbox for the model.
 *
 * `debug` is the format of 0.42, with all details; `short` that of 0.45.
 */
export function deniedText(result: CommandResult, form: "debug" | "short"): string {
  if (form === "short") return `failed in sandbox: ${result.stderr}`;
  const sandbox = result.sandbox === "seatbelt" ? "MacosSeatbelt" : "LinuxSeccomp";
  const output = [
    `exit_code: ${result.exitCode}`,
    `stdout: ${streamForm(result.stdout)}`,
    `stderr: ${streamForm(result.stderr)}`,
    `aggregated_output: ${streamForm(result.aggregated)}`,
    `duration: ${durationForm(result.durationMs)}`,
    `timed_out: ${result.timedOut}`,
  ].join(", ");
  return `failed in sandbox ${sandbox} with execution error: Denied { output: ExecToolCallOutput { ${output} } }`;
}

function debugForm(failure: CommandFailure): string {
  if (failure.kind === "sandbox") return failure.message;
  if (failure.kind === "signal") return `Sandbox(Signal(${failure.number}))`;
  const { errno, errorKind, message } = failure;
  if (errno === undefined) return `Io(Custom { kind: ${errorKind}, error: ${quoted(message)} })`;
  return `Io(Os { code: ${errno}, kind: ${errorKind}, message: ${quoted(message)} })`;
}

function streamForm(text: string): string {
  return `StreamOutput { text: ${quoted(text)}, truncated_after_lines: None }`;
}

function durationForm(ms: number): string {
  return ms >= 1000 ? `${Number((ms / 1000).toFixed(9))}s` : `${Number(ms.toFixed(6))}ms`;
}

/** Error for input to a process that was started without a terminal. */
export const inputClosed =
  "stdin is closed for this session; rerun exec_command with tty=true to keep stdin open";

/** Notice about a process that runs without the terminal it asked for. */
export const noTerminal =
  "No terminal could be opened, so the process runs with pipes: it sees no terminal and gets no signals from keys.";

const escapes: Record<string, string> = {
  "\0": "\\0",
  "\t": "\\t",
  "\n": "\\n",
  "\r": "\\r",
  '"': '\\"',
  "\\": "\\\\",
};

/** Quotes a text and escapes unprintable characters. */
function quoted(text: string): string {
  const body = text.replace(
    /["\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu,
    (char) => escapes[char] ?? `\\u{${char.codePointAt(0)?.toString(16)}}`,
  );
  return `"${body}"`;
}
