import { type Dirent, existsSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { projectFolders } from "../../lib/files.js";
import type { SkillScope } from "../../protocol/types.js";
import { defaultRootMarkers } from "../instructions.js";

/** Where skills are looked for, besides the project. */
export interface SkillSources {
  /** The folder of the user's settings. */
  home: string;
  /** The user's home directory, where other programs keep skills too. */
  userHome?: string | undefined;
  /** Skills that whoever runs the machine gives to all. */
  adminFolder?: string | undefined;
  rootMarkers?: readonly string[] | undefined;
  /** Skills that the user has turned off, by the path of their `SKILL.md`. */
  disabledPaths?: readonly string[] | undefined;
  /** The names of those that are switched off, whatever their files. */
  disabledNames?: readonly string[] | undefined;
  /** Why the skills of a folder of the project are not read; absent: those of no project are. */
  refusalOf?: ((folder: string) => SkillsRefusal | undefined) | undefined;
}

/** Why the skills of a project are not read. */
export interface SkillsRefusal {
  /** The reason, with the remedy; absent if the user has decided so and need not be reminded. */
  reason?: string;
}

/** A folder below which every `SKILL.md` is a skill. */
export interface SkillRoot {
  path: string;
  scope: SkillScope;
  /** The folder of the project that has it. */
  project?: string;
}

/** A folder with skills, or one whose skills are not read. */
interface FoundRoot extends SkillRoot {
  refusal?: SkillsRefusal;
}

/** Returns the folders with skills for `cwd`, those that are closest to it first. */
export async function skillRoots(cwd: string, sources: SkillSources): Promise<FoundRoot[]> {
  const roots = await onlyOnce(possibleRoots(cwd, sources));
  return roots.map((root) => {
    if (root.project === undefined) return root;
    const refusal = sources.refusalOf === undefined ? {} : sources.refusalOf(root.project);
    return refusal === undefined ? root : { ...root, refusal };
  });
}

/** The same folders, whether they are there or not. */
export function possibleRoots(cwd: string, sources: SkillSources): SkillRoot[] {
  const { home, userHome, adminFolder } = sources;
  const userRoot = join(home, "skills");
  const roots: SkillRoot[] = [];
  for (const folder of projectFolders(cwd, sources.rootMarkers ?? defaultRootMarkers).reverse()) {
    for (const name of [".codex", ".agents"]) {
      roots.push({ path: join(folder, name, "skills"), scope: "repo", project: folder });
    }
  }
  roots.push({ path: userRoot, scope: "user" });
  if (userHome !== undefined) {
    roots.push({ path: join(userHome, ".agents", "skills"), scope: "user" });
  }
  roots.push({ path: join(userRoot, ".system"), scope: "system" });
  if (adminFolder !== undefined) roots.push({ path: adminFolder, scope: "admin" });
  return roots;
}

/** The user's folder may lie within the project, such as in a home directory; it stays the user's. */
async function onlyOnce(roots: readonly SkillRoot[]): Promise<SkillRoot[]> {
  const kept = new Map<string, SkillRoot>();
  for (const root of roots) {
    if (!existsSync(root.path)) continue;
    const path = await realpath(root.path).catch(() => undefined);
    if (path === undefined) continue;
    const earlier = kept.get(path);
    if (earlier === undefined || (earlier.scope === "repo" && root.scope !== "repo")) {
      kept.set(path, { ...root, path });
    }
  }
  return [...kept.values()];
}

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
