import { renameSync } from "node:fs";
import { mkdir, open, readdir, readlink, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { randomUuid } from "./ids.js";

/** Options for `replaceFile`. */
export interface ReplaceOptions {
  /** Called right before the rename; the file is left alone if it returns false. */
  isUnchanged?: () => boolean;
  /** Mode of the new file; default: that of the old file, or 0600 for a new one. */
  mode?: number;
}

/**
 * Replaces the content of a file atomically: readers see the old or the new content, even after a
 * kill or a power failure.
 *
 * Returns false if `isUnchanged` refused. `file` must not be a link: see `followLinks`.
 */
export async function replaceFile(
  file: string,
  text: string,
  options: ReplaceOptions = {},
): Promise<boolean> {
  const folder = dirname(file);
  const mode = options.mode ?? (await stat(file).catch(() => undefined))?.mode ?? usersAlone;
  const temporary = join(folder, `${temporaryPrefix(file)}${randomUuid()}${temporaryEnd}`);
  try {
    await writeNew(temporary, text, mode & 0o7777);
    if (options.isUnchanged?.() === false) return false;
    renameSync(temporary, file);
  } finally {
    await rm(temporary, { force: true });
  }
  await syncFolder(folder);
  return true;
}

/** Removes temporary files that killed writers of this file left behind. Call it only under their lock. */
export async function removeLeftovers(file: string): Promise<void> {
  const folder = dirname(file);
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(temporaryPrefix(file)) || !name.endsWith(temporaryEnd)) continue;
    await rm(join(folder, name), { force: true });
  }
}

/** Resolves a link to its target, which need not exist, and creates the target's folder. */
export async function followLinks(file: string): Promise<string> {
  let at = file;
  for (let count = 0; count < mostLinks; count++) {
    const target = await readlink(at).catch(() => undefined);
    if (target === undefined) {
      await mkdir(dirname(at), { recursive: true, mode: 0o700 });
      return at;
    }
    at = resolve(dirname(at), target);
  }
  throw new Error(`${file} is a circular symbolic link`);
}

const usersAlone = 0o600;
const mostLinks = 40;
const temporaryEnd = ".tmp";

function temporaryPrefix(file: string): string {
  return `.${basename(file)}.`;
}

async function writeNew(file: string, text: string, mode: number): Promise<void> {
  const handle = await open(file, "wx", usersAlone);
  try {
    await handle.writeFile(text);
    await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A rename is durable only once the folder is synced; not every system supports that. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
