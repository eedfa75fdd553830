import { closeSync, constants, openSync, readSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { entryAt, isWithin, realPathOf, realPlaceOf } from "./paths.js";
import { isEmptyDirectory } from "./placeholders.js";
import type { Root } from "./writable-roots.js";

/** Names whose content makes programs run code or trust a project; read-only wherever they stand. */
export const protectedNames: readonly string[] = [".git", ".codex", ".agents"];

/** Whether some file system takes a name for a protected one. */
export function isProtectedName(name: string): boolean {
  const plain = name
    .normalize("NFKC")
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "") // HFS+ does not see these
    .replace(/:.*$/, "") // NTFS streams
    .replace(/[. ]+$/, "") // Windows drops them
    .toLowerCase();
  return protectedNames.includes(plain) || /^git~\d+$/.test(plain); // its short name on NTFS
}

/** What of the protected names is in a directory. */
export interface Protection {
  /** There, and to be kept as they are; the git directories behind a `.git` file included. */
  existing: string[];
  /** Not there, and not to be made. */
  absent: string[];
  /** There and empty: the user's, or only there to keep the place. */
  empty: string[];
  /** Links, which cannot be protected: whoever can write the directory can turn them. */
  links: string[];
}

/** Looks for the protected names in a writable root. */
export function protectionOf(root: string): Protection {
  const protection = noProtection();
  if (entryAt(root)?.isDirectory() !== true) return protection;
  for (const name of protectedNames) addProtection(protection, join(root, name));
  return protection;
}

/** Nothing protected yet. */
export function noProtection(): Protection {
  return { existing: [], absent: [], empty: [], links: [] };
}

/** Adds one path to what is protected, by what is found there. */
export function addProtection(protection: Protection, path: string): void {
  const entry = entryAt(path);
  if (entry === undefined) {
    protection.absent.push(path);
  } else if (entry.isDirectory() && isEmptyDirectory(path)) {
    protection.empty.push(path);
  } else if (entry.isSymbolicLink()) {
    protection.links.push(path);
  } else {
    protection.existing.push(path);
    if (entry.isFile() && path.endsWith("/.git")) addGitDirs(protection, path);
  }
}

/** The outermost part of a path that is not there; nothing when all of it is. */
export function firstMissing(path: string): string | undefined {
  if (entryAt(path) !== undefined) return undefined;
  const parent = dirname(path);
  return parent === path ? undefined : (firstMissing(parent) ?? path);
}

function addGitDirs(protection: Protection, gitFile: string): void {
  for (const directory of gitDirsBehind(gitFile)) {
    const missing = firstMissing(directory);
    if (missing === undefined) protection.existing.push(directory);
    else protection.absent.push(missing);
  }
}

/**
 * The real directories behind a `.git` file: its git directory and the one that shares its objects.
 *
 * A file that is not of this form, or cannot be read, names none.
 */
function gitDirsBehind(gitFile: string): string[] {
  const target = /^gitdir:[ \t]*(.+)$/m.exec(readStart(gitFile) ?? "")?.[1]?.trimEnd();
  if (target === undefined || target.includes("\0")) return [];
  const gitDir = realPlace(resolve(dirname(gitFile), target));
  const common = readStart(join(gitDir, "commondir"))?.trim();
  if (!common || common.includes("\0")) return [gitDir];
  return [gitDir, realPlace(resolve(gitDir, common))];
}

/** Longer than any path the system takes. */
const startSize = 8192;

function readStart(file: string): string | undefined {
  let descriptor: number;
  try {
    // Something that is not a plain file must not make us wait for its other end.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const buffer = Buffer.alloc(startSize);
    return buffer.toString("utf8", 0, readSync(descriptor, buffer));
  } catch {
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

function realPlace(path: string): string {
  return realPlaceOf(path) ?? path;
}

/** Entries of a home from which programs start other programs, or that say who may come in. */
const startupNames = [
  ".bash_aliases",
  ".bash_login",
  ".bash_logout",
  ".bash_profile",
  ".bashrc",
  ".config/autostart",
  ".config/environment.d",
  ".config/fish",
  ".config/git",
  ".config/nvim",
  ".config/systemd",
  ".cshrc",
  ".emacs",
  ".emacs.d",
  ".exrc",
  ".gdbinit",
  ".gitconfig",
  ".gnupg",
  ".inputrc",
  ".kshrc",
  ".local/share/applications",
  ".local/share/systemd",
  ".login",
  ".netrc",
  ".npmrc",
  ".pam_environment",
  ".profile",
  ".screenrc",
  ".ssh",
  ".tcshrc",
  ".tmux.conf",
  ".vim",
  ".vimrc",
  ".xinitrc",
  ".xprofile",
  ".xsession",
  ".xsessionrc",
  ".zlogin",
  ".zlogout",
  ".zprofile",
  ".zshenv",
  ".zshrc",
  "Library/LaunchAgents",
];

/** What of the user's home stays read-only, though the home itself is in a writable root. */
interface HomeProtection {
  /** Start-up files that exist. One that does not exist cannot be kept from being made. */
  readOnly: string[];
  warnings: string[];
}

/** Looks for the user's home in the writable roots, and for what runs code in it. */
export function protectHome(userHome: string | undefined, roots: readonly Root[]): HomeProtection {
  const home = userHome === undefined ? undefined : realPathOf(userHome);
  const around = home === undefined ? [] : roots.filter(({ path }) => isWithin(home, path));
  if (home === undefined || around.length === 0) return { readOnly: [], warnings: [] };
  const paths = startupNames.map((name) => join(home, name));
  const readOnly = paths.filter((path) => isReal(path));
  // A home in a temporary directory is a throw-away one, and starting elsewhere would not help.
  const isTemporary = around.every(({ origin }) => origin === "slash-tmp" || origin === "tmpdir");
  if (isTemporary) return { readOnly, warnings: [] };
  const warning = `${home} is your home directory: commands can write to it, except for ${startupNames.length} start-up files and folders such as .bashrc and .ssh, as far as they exist. Start in the folder of a project instead.`;
  return { readOnly, warnings: [warning] };
}

/** A link is left alone: whoever can write the directory can turn it. */
function isReal(path: string): boolean {
  const entry = entryAt(path);
  return entry !== undefined && !entry.isSymbolicLink();
}
