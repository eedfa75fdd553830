import type { PatchError } from "./hunk.js";

/** The operating system's word on why a file operation failed. */
export interface SystemCause {
  /** The number of the error, such as 2. */
  errno: number;
  /** Its name, such as `ENOENT`. */
  code: string;
  /** Its meaning, such as `No such file or directory`. */
  text: string;
}

/** Why a patch cannot be applied, or was not. */
export type PatchFailure =
  | PatchError
  /** The chunks do not fit the file. */
  | { kind: "no_match"; message: string }
  /** A file operation failed; `briefly` is what the command line says of it. */
  | { kind: "io"; context: string; cause: SystemCause; briefly?: string }
  /** It could be done but must not: outside of the project, protected, too large, not a file. */
  | { kind: "refused"; context: string; reason: string }
  /** The patch has no sections. */
  | { kind: "empty" };

/** Says a failure in one plain sentence, as the model is told it. */
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

/** Says a failure as the command line does. */
export function commandLineText(failure: PatchFailure): string {
  if (failure.kind === "invalid_patch") return `Invalid patch: ${failure.message}`;
  if (failure.kind === "invalid_hunk") {
    return `Invalid patch hunk on line ${failure.lineNumber}: ${failure.message}`;
  }
  if (failure.kind === "io" && failure.briefly !== undefined) return failure.briefly;
  return failureText(failure);
}

/** The failure of a file operation, from what `node:fs` threw; anything else is thrown on. */
export function systemFailure(error: unknown, context: string): PatchFailure {
  return { kind: "io", context, cause: systemCause(error) };
}

/** What `node:fs` threw, in the words of the C library; anything else is thrown on. */
function systemCause(error: unknown): SystemCause {
  const { errno, code, message } = error as NodeJS.ErrnoException;
  if (!(error instanceof Error) || errno === undefined || code === undefined) throw error;
  return { errno: Math.abs(errno), code, text: SYSTEM_TEXTS[code] ?? systemText(message) };
}

/** A cause that we know before the system would say it. */
export function knownCause(code: "EISDIR" | "ENOENT" | "ENOTDIR" | "EACCES"): SystemCause {
  const errno = { ENOENT: 2, EACCES: 13, ENOTDIR: 20, EISDIR: 21 }[code];
  return { errno, code, text: SYSTEM_TEXTS[code] as string };
}

/** Texts that other programs match on; libuv words some of them differently. */
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

/** libuv writes `ECODE: some words, call 'path'`. */
function systemText(message: string): string {
  const words = /^\w+: ([^,]+)/.exec(message)?.[1] ?? message;
  return words.charAt(0).toUpperCase() + words.slice(1);
}
