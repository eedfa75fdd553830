import {
  onlyFinds,
  onlySearches,
  printsLines,
  printsLinesOfFile,
  readsOneFile,
  writesNoOutput,
} from "./argument-checks.js";
import { readsRepository, readsRepositoryNamedFirst } from "./git.js";

/** Returns true if a program with these arguments only reads and prints. */
export type ArgumentCheck = (args: readonly string[]) => boolean;

/**
 * Commands that run without approval.
 *
 * They still run in the sandbox: being on a list means that approval would be a nuisance, not that
 * the command is harmless.
 */
export interface SafeList {
  /** Short name for explanations. */
  name: string;
  /** Programs that can neither write nor run anything with any arguments. */
  programs: ReadonlySet<string>;
  /** Further programs on Linux only (those of the same name elsewhere are not known). */
  linuxPrograms: ReadonlySet<string>;
  /** Programs that are safe if their arguments pass the check. */
  checked: Readonly<Record<string, ArgumentCheck>>;
  /** Accepts programs by their path in a system directory. */
  systemPaths: boolean;
  /** Shells whose scripts are parsed. */
  shells: "bash -lc" | "any";
  /** Includes read-only PowerShell commands (on Windows). */
  powerShell: boolean;
}

const printing = ["cat", "cd", "echo", "false", "grep", "head", "ls", "nl", "pwd", "tail", "true"];
const reading = ["cut", "expr", "id", "paste", "rev", "seq", "stat", "tr", "uname", "whoami"];

/**
 * The list of 2025-09.
 *
 * Stricter than the reference in two ways: `cargo check` is not on it, since it runs the build
 * scripts of the project, and the arguments of `git` are checked, since `git log --output=F` writes
 * and `git branch -D x` deletes.
 */
export const safeListOf2025: SafeList = {
  name: "known safe commands of 2025",
  programs: new Set([...printing, "wc", "which"]),
  linuxPrograms: new Set(),
  checked: {
    find: onlyFinds,
    git: readsRepositoryNamedFirst,
    rg: onlySearches,
    sed: printsLinesOfFile,
  },
  systemPaths: false,
  shells: "bash -lc",
  powerShell: false,
};

/** The list of early 2026; excludes programs outside the system directories. */
export const safeListOf2026: SafeList = {
  name: "known safe commands of 2026",
  programs: new Set([...printing, ...reading, "wc", "which"]),
  linuxPrograms: new Set(["numfmt", "tac"]),
  checked: {
    base64: writesNoOutput,
    find: onlyFinds,
    git: readsRepository,
    rg: onlySearches,
    sed: printsLines,
    uniq: readsOneFile,
  },
  systemPaths: true,
  shells: "any",
  powerShell: true,
};

/**
 * Returns a list without `git`, for commands that run outside a sandbox: there, programs configured
 * in a repository would run with all permissions of the user.
 */
export function withoutGit(list: SafeList): SafeList {
  const { git: _, ...checked } = list.checked;
  return { ...list, checked };
}

/** The latest list: no `git`, because the configuration of a repository can make it run helpers. */
export const latestSafeList: SafeList = {
  ...safeListOf2026,
  name: "latest known safe commands",
  checked: {
    base64: writesNoOutput,
    find: onlyFinds,
    rg: onlySearches,
    sed: printsLines,
    uniq: readsOneFile,
  },
};
