import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { addRules, type IgnoreRules, ignoredIn, rulesAbove } from "./ignore-rules.js";
import type { Entry } from "./path-list.js";

/** What a walk is to do. */
export interface WalkOptions {
  root: string;
  signal: AbortSignal;
  /** Told of each file and folder below the root. */
  onEntry(entry: Entry): void;
}

/**
 * Goes through all files and folders below a root that a search should find.
 *
 * What `.gitignore` and `.ignore` files name is passed over, and so are the insides of `.git`. Links
 * to folders are followed unless they lead back up. What cannot be read is left out. Resolves when
 * all is seen, when the signal aborts, or when there is more than anyone searches through.
 */
export async function walk({ root, signal, onEntry }: WalkOptions): Promise<void> {
  const real = await realpath(root).catch(() => undefined);
  if (real === undefined) return;
  const { isRepository, rules } = await rulesAbove(real);
  const waiting: Folder[] = [{ path: real, shown: "", real, rules, above: undefined }];
  let left = mostEntries;
  const tell = (entry: Entry) => {
    if (left-- > 0) onEntry(entry);
  };
  while (waiting.length > 0 && left > 0 && !signal.aborted) {
    const next = waiting.splice(-atOnce);
    const found = await Promise.all(next.map((folder) => readFolder(folder, isRepository, tell)));
    for (const folders of found) for (const folder of folders) waiting.push(folder);
  }
}

/** Folders that are read side by side. */
const atOnce = 16;
/** So many paths are kept at most; a search through more would be of no use. */
const mostEntries = 500_000;
/** So deep folders are looked into; links could go on for ever in ways that are not seen. */
const deepest = 64;

interface Folder {
  path: string;
  /** From the root, with slashes. */
  shown: string;
  /** Where it really is. */
  real: string;
  /** Those of the folders above. */
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
    const place = { path: join(path, name), shown: shown === "" ? name : `${shown}/${name}` };
    const target = entry.isSymbolicLink() ? await followLink(place.path) : undefined;
    const isFolder = target === undefined ? entry.isDirectory() : target.isFolder;
    if ((isFolder && name === ".git") || isIgnored(name, isFolder)) continue;
    onEntry({ path: place.shown, isFolder });
    if (!isFolder) continue;
    const next = { ...place, real: target?.real ?? join(real, name), rules, above: folder };
    if (isWorthALook(next, target !== undefined)) folders.push(next);
  }
  return folders;
}

/** Most folders have no rules of their own, which their entries tell. */
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
    return undefined; // it leads nowhere
  }
}

/** False for a link that leads to a folder which it is in: that would have no end. */
function isWorthALook(folder: Folder, isLink: boolean): boolean {
  let depth = 0;
  for (let one = folder.above; one !== undefined; one = one.above) {
    const isAbove = one.real === folder.real || one.real.startsWith(`${folder.real}${sep}`);
    if (isLink && isAbove) return false;
    depth++;
  }
  return depth < deepest;
}
