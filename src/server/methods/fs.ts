import { isAbsolute, normalize } from "node:path";
import { CodexError } from "../../protocol/error.js";
import type { Connection, V2Handlers } from "../connection.js";
import { assertPermitted } from "./denied-files.js";
import {
  copy,
  listFolder,
  makeFolder,
  metadataOf,
  readBytes,
  remove,
  writeBytes,
} from "./fs-files.js";
import { Watches } from "./fs-watch.js";

/**
 * Creates the handlers of the file system methods. They are not sandboxed: a client acts as the
 * user. What permission rules deny is denied to them too.
 */
export function createFsHandlers() {
  const all = new WeakMap<Connection, Watches>();
  const watchesOf = (connection: Connection) => {
    const watches = all.get(connection) ?? createWatches(connection);
    all.set(connection, watches);
    return watches;
  };
  return {
    "fs/readFile": async ({ path }, connection) => {
      const bytes = await at(path, readBytes, connection);
      return { dataBase64: bytes.toString("base64") };
    },
    "fs/writeFile": async ({ path, dataBase64 }, connection) => {
      const bytes = toBytes(dataBase64);
      await at(path, (file) => writeBytes(file, bytes), connection);
      return {};
    },
    "fs/createDirectory": async ({ path, recursive = true }, connection) => {
      await at(path, (folder) => makeFolder(folder, recursive), connection);
      return {};
    },
    "fs/getMetadata": ({ path }, connection) => at(path, metadataOf, connection),
    "fs/readDirectory": async ({ path }, connection) => ({
      entries: await at(path, listFolder, connection),
    }),
    "fs/remove": async (params, connection) => {
      const { recursive = true } = params;
      const removeAt = (path: string) => remove({ ...params, path });
      await at(params.path, removeAt, connection, { recursive });
      return {};
    },
    "fs/copy": async ({ sourcePath, destinationPath, ...rest }, connection) => {
      const destination = requireAbsolute(destinationPath, "destinationPath");
      await assertPermitted(connection.server, [destination]);
      const copyFrom = (source: string) =>
        copy({ sourcePath: source, destinationPath: destination, ...rest });
      const { recursive } = rest;
      await at(sourcePath, copyFrom, connection, { name: "sourcePath", recursive });
      return {};
    },
    "fs/watch": async ({ watchId, path }, connection) => {
      const onChange = (changedPaths: string[]) =>
        connection.notify("fs/changed", { watchId, changedPaths });
      const watches = watchesOf(connection);
      const start = (wanted: string) => watches.start(watchId, wanted, onChange);
      return { path: await at(path, start, connection) };
    },
    "fs/unwatch": ({ watchId }, connection) => {
      watchesOf(connection).stop(watchId);
      return {};
    },
  } satisfies Partial<V2Handlers>;
}

function createWatches({ peer }: Connection): Watches {
  const watches = new Watches();
  peer.signal.addEventListener("abort", () => watches.close(), { once: true });
  return watches;
}

/** Runs an operation on a path; rethrows a system error with the message that clients know. */
async function at<T>(
  path: string,
  work: (path: string) => Promise<T>,
  { server }: Connection,
  { name = "path", recursive }: { name?: string; recursive?: boolean | undefined } = {},
): Promise<T> {
  const absolute = requireAbsolute(path, name);
  await assertPermitted(server, [absolute], { recursive: recursive === true });
  try {
    return await work(absolute);
  } catch (error) {
    throw toSystemError(error, absolute);
  }
}

function requireAbsolute(path: string, name: string): string {
  if (path.includes("\0")) throw refused(`${name} must not contain a NUL character`);
  if (!isAbsolute(path)) throw refused(`${name} must be absolute, but is ${path}`);
  // Without a trailing slash a path names a link itself, not its target.
  return normalize(path).replace(/(?<=.)\/+$/, "");
}

function toBytes(base64: string): Buffer {
  if (/^[A-Za-z0-9+/]*={0,2}$/.test(base64) && base64.length % 4 === 0) {
    return Buffer.from(base64, "base64");
  }
  throw refused("fs/writeFile requires valid base64 dataBase64, with padding");
}

function refused(message: string): CodexError {
  return new CodexError("invalid_request", message);
}

/** Converts a system error: the message of the system, its number and the path. */
function toSystemError(error: unknown, path: string): unknown {
  const { code, errno, message } = error as NodeJS.ErrnoException;
  if (error instanceof CodexError || code === undefined) return error;
  const text = texts[code] ?? message;
  const number = errno === undefined ? "" : ` (os error ${Math.abs(errno)})`;
  return new CodexError("io", `${text}${number}: ${path}`, { cause: error });
}

/** Messages of the C library, which clients may match. */
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
