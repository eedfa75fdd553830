import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import type { SkillRoot } from "./roots.js";

/**
 * The `SKILL.md` files below a folder, those further up first.
 *
 * Bounded in depth and number of folders, so that links in circles and huge trees do no harm.
 * Hidden entries are passed over. Links to folders are followed, except among the skills that came
 * with the program; links to files are not, for they could name any file.
 */
export async function* findSkillFiles({ path, scope }: SkillRoot): AsyncGenerator<string> {
  const followsLinks = scope !== "system";
  const seen = new Set([path]);
  let level = [path];
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth++) {
    const below: string[] = [];
    for (const folder of level) {
      for (const entry of await listFolder(folder)) {
        const file = join(folder, entry.name);
        if (entry.isFile() && entry.name === "SKILL.md") yield file;
        const found = await asFolder(entry, file, followsLinks);
        if (found === undefined || seen.has(found) || seen.size >= maxFolders) continue;
        seen.add(found);
        below.push(found);
      }
    }
    level = below;
  }
}

const maxDepth = 6;
const maxFolders = 2_000;

async function listFolder(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter(({ name }) => !name.startsWith("."))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function asFolder(
  entry: Dirent,
  path: string,
  followsLinks: boolean,
): Promise<string | undefined> {
  if (entry.isDirectory()) return path;
  if (!entry.isSymbolicLink() || !followsLinks) return undefined;
  try {
    return (await stat(path)).isDirectory() ? await realpath(path) : undefined;
  } catch {
    return undefined;
  }
}
