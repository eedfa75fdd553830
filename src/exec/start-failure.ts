import { constants } from "node:os";
import { errorCode } from "../lib/error-code.js";
import { errorText } from "../lib/error-text.js";
import type { StartFailure } from "./result.js";

/** A program that was refused before the system was asked. */
export function refusedStart(message: string): StartFailure {
  return { kind: "start", message, errorKind: "InvalidInput" };
}

/** Why a program could not be started, from the error of `spawn`. */
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
