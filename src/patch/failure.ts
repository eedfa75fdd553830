import type { PatchError } from "./hunk.js";

/** The system error of a file operation. */
export interface SystemCause {
  /** Number, such as 2. */
  errno: number;
  /** Name, such as `ENOENT`. */
  code: string;
  /** Message, such as `No such file or directory`. */
  text: string;
}

/** The reason why a patch was not applied. */
export type PatchFailure =
  | PatchError
  /** The chunks do not match the file. */
  | { kind: "no_match"; message: string }
  /** A file operation failed; `briefly` is the message of the command line. */
  | { kind: "io"; context: string; cause: SystemCause; briefly?: string }
  /** Not allowed: outside of the project, protected, too large, not a regular file. */
  | { kind: "refused"; context: string; reason: string }
  /** The patch has no sections. */
  | { kind: "empty" };

/** Formats a failure as one sentence for the model. */
export function failureText(failure: PatchFailure): string {
  switch (failure.kind) {
    case "invalid_patch":
      return `invalid patch: ${failure.message}`;
    case "invalid_hunk":
      return `invalid hunk at line ${failure.lineNumber}, ${failure.message}`;
    case "no_match":
      return failure.message;
    case "io":
      return `${failure.context}: ${failure.cause.text} (os error ${failure.cause.errno})`;
    case "refused":
      return `${failure.context}: ${failure.reason}`;
    case "empty":
      return "No files were modified.";
  }
}

/** Formats a failure as the command line does. */
export function commandLineText(failure: PatchFailure): string {
  if (failure.kind === "invalid_patch") return `Invalid patch: ${failure.message}`;
  if (failure.kind === "invalid_hunk") {
    return `Invalid patch hunk on line ${failure.lineNumber}: ${failure.message}`;
  }
  if (failure.kind === "io" && failure.briefly !== undefined) return failure.briefly;
  return failureText(failure);
}

/** Converts an error of `node:fs` to a failure; rethrows anything else. */
export function systemFailure(error: unknown, context: string): PatchFailure {
  return { kind: "io", context, cause: systemCause(error) };
}

/** Converts an error of `node:fs`, with the message of the C library; rethrows anything else. */
function systemCause(error: unknown): SystemCause {
  const { errno, code, message } = error as NodeJS.ErrnoException;
  if (!(error instanceof Error) || errno === undefined || code === undefined) throw error;
  return { errno: Math.abs(errno), code, text: SYSTEM_TEXTS[code] ?? systemText(message) };
}

/** Returns a cause that is known before the system reports it. */
export function knownCause(code: "EISDIR" | "ENOENT" | "ENOTDIR" | "EACCES"): SystemCause {
  const errno = { ENOENT: 2, EACCES: 13, ENOTDIR: 20, EISDIR: 21 }[code];
  return { errno, code, text: SYSTEM_TEXTS[code] as string };
}

/** Messages that other programs match on; libuv's differ for some. */
const SYSTEM_TEXTS: Record<string, string> = {
  EACCES: "Permission denied",
  EBUSY: "Device or resource busy",
  EISDIR: "Is a directory",
  ELOOP: "Too many levels of symbolic links",
  ENAMETOOLONG: "File name too long",
  ENOENT: "No such file or directory",
  ENOSPC: "No space left on device",
  ENOTDIR: "Not a directory",
  EPERM: "Operation not permitted",
  EROFS: "Read-only file system",
};

/** Extracts the message from libuv's `ECODE: message, call 'path'`. */
function systemText(message: string): string {
  const words = /^\w+: ([^,]+)/.exec(message)?.[1] ?? message;
  return words.charAt(0).toUpperCase() + words.slice(1);
}
