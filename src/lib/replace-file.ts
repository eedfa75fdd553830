import { renameSync } from "node:fs";
import { mkdir, open, readdir, readlink, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { randomUuid } from "./ids.js";

/** What may be asked of a replacement. */
export interface ReplaceOptions {
  /** Asked at the last moment about the old text; false: nothing is done. */
  isUnchanged?: () => boolean;
  /** The rights of the new file; absent: those of the old one, or the user's alone if there is none. */
  mode?: number;
}

/**
 * Puts a new text in place of a file's in one step: others see the old one or the new one, also when
 * we are killed or the power fails.
 *
 * Returns false when it was not done. `file` is no link: see `followLinks`.
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

/** Removes what writers of this file left behind when they were killed; only under their lock. */
export async function removeLeftovers(file: string): Promise<void> {
  const folder = dirname(file);
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(temporaryPrefix(file)) || !name.endsWith(temporaryEnd)) continue;
    await rm(join(folder, name), { force: true });
  }
}

/** The file that a link leads to, which need not exist; its folder does afterwards. */
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
  throw new Error(`${file} is a link that leads in circles`);
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

/** The new name lasts only once the folder is on disk; not every system lets a folder be synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
