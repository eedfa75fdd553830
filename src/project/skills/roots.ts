import { type Dirent, existsSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { projectFolders } from "../../lib/files.js";
import type { SkillScope } from "../../protocol/types.js";
import { defaultRootMarkers } from "../instructions.js";

/** Locations of skills besides the project, and filters. */
export interface SkillSources {
  /** Config home. */
  home: string;
  /** The user's home directory, where other programs also install skills. */
  userHome?: string | undefined;
  /** Skills that the administrator provides to all users. */
  adminFolder?: string | undefined;
  rootMarkers?: readonly string[] | undefined;
  /** Returns the folders that a client has added. */
  extraRoots?: (() => readonly string[]) | undefined;
  /** Disabled skills, by the path of their `SKILL.md`. */
  disabledPaths?: readonly string[] | undefined;
  /** Disabled skills, by name. */
  disabledNames?: readonly string[] | undefined;
  /**
   * Returns why skills of a project folder are not read. If omitted, no project skills are read.
   */
  refusalOf?: ((folder: string) => SkillsRefusal | undefined) | undefined;
}

/** Reason why a project's skills are not read. */
export interface SkillsRefusal {
  /** Reason and remedy for the user; omitted if the user decided so. */
  reason?: string;
}

/** A folder in which every `SKILL.md` is a skill. */
export interface SkillRoot {
  path: string;
  scope: SkillScope;
  /** Project folder that contains it. */
  project?: string;
}

/** A folder with skills, readable or refused. */
interface FoundRoot extends SkillRoot {
  refusal?: SkillsRefusal;
}

/** Returns the existing skill folders for `cwd`, closest first. */
export async function skillRoots(cwd: string, sources: SkillSources): Promise<FoundRoot[]> {
  const roots = await onlyOnce(possibleRoots(cwd, sources));
  return roots.map((root) => {
    if (root.project === undefined) return root;
    const refusal = sources.refusalOf === undefined ? {} : sources.refusalOf(root.project);
    return refusal === undefined ? root : { ...root, refusal };
  });
}

/** Like `skillRoots`, including folders that do not exist. */
export function possibleRoots(cwd: string, sources: SkillSources): SkillRoot[] {
  const { home, userHome, adminFolder } = sources;
  const userRoot = join(home, "skills");
  const extraRoots = sources.extraRoots?.() ?? [];
  const roots: SkillRoot[] = extraRoots.map((path) => ({ path, scope: "user" }));
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

/**
 * The user's folder may be inside the project, e.g. in a home directory; its scope stays `user`.
 */
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
 * Yields the `SKILL.md` files of a folder, breadth first.
 *
 * Depth and number of folders are limited, so that link cycles and huge trees are harmless. Hidden
 * entries are skipped. Links to folders are followed, except in the system scope; links to files
 * are not, because they could point to any file.
 */
export async function* findSkillFiles(root: SkillRoot): AsyncGenerator<string> {
  for await (const { folder, entries } of walkSkillFolders(root)) {
    const file = entries.find((entry) => entry.isFile() && entry.name === "SKILL.md");
    if (file !== undefined) yield join(folder, file.name);
  }
}

/** Yields the folders searched for skills, within the same limits, with their entries. */
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
