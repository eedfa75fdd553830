import { CodexError } from "../../../protocol/error.js";

/** What a client is told of something that the system refused: its words, and what it was about. */
export function toSystemError(error: unknown, path: string): unknown {
  const { code, errno, message } = error as NodeJS.ErrnoException;
  if (error instanceof CodexError || code === undefined) return error;
  const text = texts[code] ?? message;
  const number = errno === undefined ? "" : ` (os error ${Math.abs(errno)})`;
  return new CodexError("io", `${text}${number}: ${path}`, { cause: error });
}

/** In the words of the C library, which clients know. */
const texts: Readonly<Record<string, string>> = {
  EACCES: "Permission denied",
  EBUSY: "Device or resource busy",
  EEXIST: "File exists",
  EINVAL: "Invalid argument",
  EISDIR: "Is a directory",
  ELOOP: "Too many levels of symbolic links",
  EMFILE: "Too many open files",
  ENAMETOOLONG: "File name too long",
  ENOENT: "No such file or directory",
  ENOSPC: "No space left on device",
  ENOTDIR: "Not a directory",
  ENOTEMPTY: "Directory not empty",
  EPERM: "Operation not permitted",
  EROFS: "Read-only file system",
  ETXTBSY: "Text file busy",
  EXDEV: "Invalid cross-device link",
};
