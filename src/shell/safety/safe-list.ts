import {
  onlyFinds,
  onlySearches,
  printsLines,
  printsLinesOfFile,
  readsOneFile,
  writesNoOutput,
} from "./argument-checks.js";
import { readsRepository, readsRepositoryNamedFirst } from "./git.js";

/** Says whether a program with these arguments only reads and prints. */
export type ArgumentCheck = (args: readonly string[]) => boolean;

/**
 * Commands that run without asking.
 *
 * They still run in the sandbox: being on a list says that a question would bore the user, not that
 * nothing can go wrong.
 */
export interface SafeList {
  /** A few words for explanations. */
  name: string;
  /** Programs that can neither write nor run anything, whatever their arguments. */
  programs: ReadonlySet<string>;
  /** The same, on Linux only (their namesakes elsewhere are not known to us). */
  linuxPrograms: ReadonlySet<string>;
  /** Programs that are safe when their arguments pass the check. */
  checked: Readonly<Record<string, ArgumentCheck>>;
  /** Whether a program may also be given by its path in a system directory. */
  systemPaths: boolean;
  /** Which shells are opened to look at the commands inside. */
  shells: "bash -lc" | "any";
  /** Whether read-only PowerShell is known (on Windows). */
  powerShell: boolean;
}

const printing = ["cat", "cd", "echo", "false", "grep", "head", "ls", "nl", "pwd", "tail", "true"];
const reading = ["cut", "expr", "id", "paste", "rev", "seq", "stat", "tr", "uname", "whoami"];

/**
 * The list of 2025-09.
 *
 * Two things are narrower than in the reference: `cargo check` is not on it, since it runs the build
 * scripts of the project, and `git` is looked at past its subcommand, since `git log --output=F`
 * writes and `git branch -D x` deletes.
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

/** The list of early 2026; a program outside the system directories is not on it, whatever its name. */
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

/** Returns a list without `git`, for commands that run outside a sandbox: there the programs that a
 * repository's own settings name would run with all that the user may do. */
export function withoutGit(list: SafeList): SafeList {
  const { git: _, ...checked } = list.checked;
  return { ...list, checked };
}

/** The last list: no `git`, because the configuration of a repository can make it run helpers. */
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
