import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { addRules, type IgnoreRules, ignoredIn, rulesAbove } from "./ignore-rules.js";
import type { Entry } from "./path-list.js";

/** Options for {@link walk}. */
export interface WalkOptions {
  root: string;
  signal: AbortSignal;
  /** Called for each file and folder below the root. */
  onEntry(entry: Entry): void;
}

/**
 * Walks all files and folders below a root that a search should find.
 *
 * Skips entries that `.gitignore` and `.ignore` list, the contents of `.git`, and what cannot be
 * read. Follows links to folders unless they lead back to a parent. Resolves when all entries are
 * found, the signal aborts, or the limit is reached.
 */
export async function walk({ root, signal, onEntry }: WalkOptions): Promise<void> {
  const real = await realpath(root).catch(() => undefined);
  if (real === undefined) return;
  const { isRepository, rules } = await rulesAbove(real);
  const waiting: Folder[] = [{ path: real, shown: "", real, rules, above: undefined }];
  let left = mostEntries;
  const report = (entry: Entry) => {
    if (left-- > 0) onEntry(entry);
  };
  while (waiting.length > 0 && left > 0 && !signal.aborted) {
    const next = waiting.splice(-atOnce);
    const found = await Promise.all(next.map((folder) => readFolder(folder, isRepository, report)));
    for (const folders of found) for (const folder of folders) waiting.push(folder);
  }
}

/** Folders read concurrently. */
const atOnce = 16;
/** Maximum number of entries. */
const mostEntries = 500_000;
/** Maximum depth; links can form cycles that are not detected. */
const deepest = 64;

interface Folder {
  path: string;
  /** Relative to the root, with slashes. */
  shown: string;
  /** Real path. */
  real: string;
  /** The rules of its parents. */
  rules: IgnoreRules | undefined;
  above: Folder | undefined;
}

async function readFolder(
  folder: Folder,
  isRepository: boolean,
  onEntry: (entry: Entry) => void,
): Promise<Folder[]> {
  const { path, shown, real } = folder;
  const entries = await readdir(path, { withFileTypes: true }).catch((): Dirent[] => []);
  const rules = await rulesIn(folder, entries, isRepository);
  const isIgnored = ignoredIn(path, rules);
  const folders: Folder[] = [];
  for (const entry of entries) {
    const { name } = entry;
    const child = { path: join(path, name), shown: shown === "" ? name : `${shown}/${name}` };
    const target = entry.isSymbolicLink() ? await followLink(child.path) : undefined;
    const isFolder = target === undefined ? entry.isDirectory() : target.isFolder;
    if ((isFolder && name === ".git") || isIgnored(name, isFolder)) continue;
    onEntry({ path: child.shown, isFolder });
    if (!isFolder) continue;
    const next = { ...child, real: target?.real ?? join(real, name), rules, above: folder };
    if (shouldEnter(next, target !== undefined)) folders.push(next);
  }
  return folders;
}

/** Reads rules only if the folder contains a file for them. */
function rulesIn(folder: Folder, entries: readonly Dirent[], isRepository: boolean) {
  const hasRules = entries.some(({ name }) => ruleFiles.has(name));
  return hasRules ? addRules(folder.path, folder.rules, isRepository) : folder.rules;
}

const ruleFiles: ReadonlySet<string> = new Set([".git", ".gitignore", ".ignore"]);

async function followLink(path: string): Promise<{ isFolder: boolean; real: string } | undefined> {
  try {
    const isFolder = (await stat(path)).isDirectory();
    return { isFolder, real: isFolder ? await realpath(path) : path };
  } catch {
    return undefined; // dangling link
  }
}

/** Returns false for a link to one of its parents, which would never end. */
function shouldEnter(folder: Folder, isLink: boolean): boolean {
  let depth = 0;
  for (let one = folder.above; one !== undefined; one = one.above) {
    const isAbove = one.real === folder.real || one.real.startsWith(`${folder.real}${sep}`);
    if (isLink && isAbove) return false;
    depth++;
  }
  return depth < deepest;
}
