import {
  copyFile,
  cp,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rm,
  rmdir,
  stat,
  unlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join, parse, sep } from "node:path";
import { CodexError } from "../../protocol/error.js";
import type {
  FsCopyParams,
  FsGetMetadataResponse,
  FsReadDirectoryEntry,
  FsRemoveParams,
} from "../../protocol/rpc/v2/fs.js";

/** Reads a file. Only regular files are read, so that no pipe or device blocks. */
export async function readBytes(path: string): Promise<Buffer> {
  const info = await stat(path);
  if (!info.isFile()) throw refused(`path \`${path}\` is not a file`);
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (size > largestFile) {
      throw refused(`${path} has ${size} bytes; up to ${largestFile} can be read`);
    }
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Limit, so that the Base64 text fits a message. */
const largestFile = 40 * 1024 * 1024;

/** Replaces the content of a file. Only regular files are written. */
export async function writeBytes(path: string, bytes: Buffer): Promise<void> {
  const info = await stat(path).catch(() => undefined);
  if (info !== undefined && !info.isFile()) throw refused(`path \`${path}\` is not a file`);
  await writeFile(path, bytes);
}

/** Creates a folder; with `recursive` it may exist already. */
export async function makeFolder(path: string, recursive: boolean): Promise<void> {
  await mkdir(path, { recursive });
}

/** Returns metadata of a path; of a link, that of its target. */
export async function metadataOf(path: string): Promise<FsGetMetadataResponse> {
  const own = await lstat(path);
  const isSymlink = own.isSymbolicLink();
  const target = isSymlink ? await stat(path).catch(() => own) : own;
  return {
    isDirectory: target.isDirectory(),
    isFile: target.isFile(),
    isSymlink,
    createdAtMs: Math.floor(target.birthtimeMs),
    modifiedAtMs: Math.floor(target.mtimeMs),
  };
}

/** Lists a folder, sorted by name. */
export async function listFolder(path: string): Promise<FsReadDirectoryEntry[]> {
  const entries = await readdir(path, { withFileTypes: true });
  const listed = entries.map(async (entry) => {
    const target = entry.isSymbolicLink()
      ? await stat(join(path, entry.name)).catch(() => undefined)
      : entry;
    return {
      fileName: entry.name,
      isDirectory: target?.isDirectory() ?? false,
      isFile: target?.isFile() ?? false,
    };
  });
  return (await Promise.all(listed)).sort((a, b) => (a.fileName < b.fileName ? -1 : 1));
}

/** Removes a file or folder; of a link only the link. */
export async function remove({ path, recursive = true, force = true }: FsRemoveParams) {
  if (parse(path).root === path) throw refused(`${path} cannot be removed`);
  if (recursive) return rm(path, { recursive, force });
  const info = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (force && error.code === "ENOENT") return undefined;
    throw error;
  });
  if (info === undefined) return;
  await (info.isDirectory() ? rmdir(path) : unlink(path));
}

/** Copies a file, or a folder with its content; links in a folder are copied as links. */
export async function copy({ sourcePath, destinationPath, recursive = false }: FsCopyParams) {
  const info = await stat(sourcePath);
  if (!info.isDirectory()) {
    if (!info.isFile()) throw refused(`path \`${sourcePath}\` is not a file or folder`);
    return copyFile(sourcePath, destinationPath);
  }
  if (!recursive) {
    throw refused("fs/copy requires recursive: true when sourcePath is a directory");
  }
  const [from, to] = await Promise.all([realpath(sourcePath), realTarget(destinationPath)]);
  if (to === from || to.startsWith(`${from}${sep}`)) {
    throw refused("fs/copy cannot copy a directory to itself or one of its descendants");
  }
  await cp(from, destinationPath, { recursive: true, verbatimSymlinks: true });
}

/** Resolves links in a path that need not exist. */
async function realTarget(path: string): Promise<string> {
  const parent = dirname(path);
  if (parent === path) return path;
  return realpath(path).catch(async () =>
    join(await realTarget(parent), path.slice(parent.length)),
  );
}

function refused(message: string): CodexError {
  return new CodexError("invalid_request", message);
}
