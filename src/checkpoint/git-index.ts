import { readFileSync, type Stats, statSync } from "node:fs";
import { join, sep } from "node:path";
import type { Repository } from "../project/index.js";

/** Finds the objects of git that have the contents of unchanged files. */
export interface GitIndex {
  /** Number of files in the whole repository. */
  count: number;
  /** Returns the object of a file that git knows to be unchanged. */
  objectOf(path: string, stats: Stats): string | undefined;
}

/**
 * Reads the index of a repository; undefined if its format is unknown.
 *
 * The index is only read. Entries as new as the index itself are not trusted, as in git. Filters may
 * store other contents than the file has, so that nothing is returned if attributes name one, or if
 * settings convert the ends of lines.
 */
export function readGitIndex(
  { gitDir, commonDir, workTree }: Repository,
  env: NodeJS.ProcessEnv,
): GitIndex | undefined {
  const file = join(gitDir, "index");
  try {
    const writtenMs = statSync(file).mtimeMs;
    const entries = parseIndex(readFileSync(file));
    if (entries === undefined || namesFilters(gitDir, workTree, entries)) return undefined;
    if (settingsFiles(commonDir, env).some(converts)) return undefined;
    const start = workTree.endsWith(sep) ? workTree : workTree + sep;
    return {
      count: entries.size,
      objectOf: (path, stats) => match(entries, path, stats, { start, writtenMs }),
    };
  } catch {
    return undefined;
  }
}

interface IndexEntry {
  mtimeMs: number;
  ino: number;
  size: number;
  id: string;
}

function match(
  entries: ReadonlyMap<string, IndexEntry>,
  path: string,
  stats: Stats,
  { start, writtenMs }: { start: string; writtenMs: number },
): string | undefined {
  if (!path.startsWith(start)) return undefined;
  const name = path.slice(start.length);
  const entry = entries.get(sep === "/" ? name : name.replaceAll(sep, "/"));
  if (entry === undefined || !stats.isFile()) return undefined;
  const isSame =
    entry.size === stats.size &&
    entry.ino === stats.ino % 2 ** 32 &&
    Math.abs(entry.mtimeMs - stats.mtimeMs) < 0.001;
  return isSame && entry.mtimeMs < writtenMs - 1 ? entry.id : undefined;
}

const headerBytes = 12;
const statBytes = 40;
const idBytes = 20;

/** Reads versions 2 and 3 with SHA-1, the formats that git writes by default. */
function parseIndex(bytes: Buffer): Map<string, IndexEntry> | undefined {
  if (bytes.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = bytes.readUInt32BE(4);
  if (version !== 2 && version !== 3) return undefined;
  const entries = new Map<string, IndexEntry>();
  // Parts of one string cost less than a string for each name.
  const text = bytes.toString("latin1");
  let at = headerBytes;
  for (let count = bytes.readUInt32BE(8); count > 0; count--) {
    const flagsAt = at + statBytes + idBytes;
    const flags = bytes.readUInt16BE(flagsAt);
    const isExtended = (flags & 0x4000) !== 0;
    const nameAt = flagsAt + (isExtended ? 4 : 2);
    const nameEnd = text.indexOf("\0", nameAt);
    if (nameEnd < 0) return undefined;
    // Conflicts, and entries that git was told not to compare.
    const isPlain = (flags & 0xb000) === 0 && !isExtended;
    if (isPlain) {
      const name = text.slice(nameAt, nameEnd);
      entries.set(isAscii.test(name) ? name : bytes.toString("utf8", nameAt, nameEnd), {
        mtimeMs: bytes.readUInt32BE(at + 8) * 1000 + bytes.readUInt32BE(at + 12) / 1e6,
        ino: bytes.readUInt32BE(at + 20),
        size: bytes.readUInt32BE(at + 36),
        id: bytes.toString("hex", at + statBytes, at + statBytes + idBytes),
      });
    }
    // Entries are padded with 1 to 8 zeros.
    at += (nameEnd - at + 8) & ~7;
  }
  return hasSharedIndex(bytes, at) ? undefined : entries;
}

const isAscii = /^[\0-\x7f]*$/;

/** The extension `link` means that most entries are in another file. */
function hasSharedIndex(bytes: Buffer, start: number): boolean {
  for (let at = start; at + 8 <= bytes.length - idBytes; at += 8 + bytes.readUInt32BE(at + 4)) {
    if (bytes.toString("latin1", at, at + 4) === "link") return true;
  }
  return false;
}

/** Returns true if attributes may name a program or an encoding that changes contents. */
function namesFilters(
  gitDir: string,
  workTree: string,
  entries: ReadonlyMap<string, IndexEntry>,
): boolean {
  const files = [join(gitDir, "info", "attributes")];
  for (const name of entries.keys()) {
    if (name.endsWith(".gitattributes")) files.push(join(workTree, name));
  }
  return files.some((file) => /filter|ident|encoding|\beol\b/.test(readText(file)));
}

/** Files with settings of a repository and of the user. */
function settingsFiles(commonDir: string, { HOME = "", XDG_CONFIG_HOME }: NodeJS.ProcessEnv) {
  const folder = XDG_CONFIG_HOME ?? join(HOME, ".config");
  const ofUser = [join(HOME, ".gitconfig"), join(folder, "git", "config")];
  return [join(commonDir, "config"), ...ofUser, "/etc/gitconfig"];
}

/** Returns true if settings convert contents, or name a file of attributes that may. */
function converts(file: string): boolean {
  return /^\s*(autocrlf\s*=\s*(?!false)|attributesfile\b)/im.test(readText(file));
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
