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
export async function* findSkillFiles(root: SkillRoot): AsyncGenerator<string> {
  for await (const { folder, entries } of walkSkillFolders(root)) {
    const file = entries.find((entry) => entry.isFile() && entry.name === "SKILL.md");
    if (file !== undefined) yield join(folder, file.name);
  }
}

/** The folders in which skills are looked for, within the same bounds, and what is in each. */
export async function* walkSkillFolders({
  path,
  scope,
}: SkillRoot): AsyncGenerator<{ folder: string; entries: readonly Dirent[] }> {
  const followsLinks = scope !== "system";
  const seen = new Set([path]);
  let level = [path];
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth++) {
    const below: string[] = [];
    for (const folder of level) {
      const entries = await listFolder(folder);
      yield { folder, entries };
      for (const entry of entries) {
        const found = await asFolder(entry, join(folder, entry.name), followsLinks);
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
