import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { markName } from "../../lib/process-tree.js";
import { replaceFile } from "../../lib/replace-file.js";
import { threadVariables } from "../environment.js";

/** What a shell is like when it has begun. */
export interface ShellState {
  /** What programs that it starts are given, without what each shell sets by itself. */
  env: Readonly<Record<string, string>>;
  /** The variables that it keeps to itself, each in words that make another shell have it too. */
  variables: readonly string[];
  /** Its functions, aliases, options and the like, in such words. */
  definitions: string;
  /** All else that a script could notice. */
  rest: string;
}

/** A script for bash that tells what it is like; `mark` parts that from what start-up files print. */
export function probeScript(mark: string): string {
  const parts = [
    ["command env -0"],
    ["declare -p"],
    // Some options decide how functions are read, others what becomes of a mistake in them.
    ["shopt -p", "declare -f", "alias -p", "umask -p", "trap", "set +o"],
    ["pwd -P", "ulimit -Sa", "ulimit -Ha"],
  ];
  return parts.map((part) => `printf '%s\\0' ${mark}; ${part.join("; ")}`).join("; ");
}

/** Reads what the script wrote; nothing when it did not come to its end, or not all of it is text. */
export function readProbe(output: string, mark: string): ShellState | undefined {
  const [, env, variables, definitions, rest] = output.split(`${mark}\0`);
  if (env === undefined || variables === undefined) return undefined;
  if (definitions === undefined || rest === undefined || output.includes("\ufffd"))
    return undefined;
  return {
    env: readEnvironment(env),
    variables: variables
      .trimEnd()
      .split(/\n(?=declare -)/)
      .filter(isTheirs),
    definitions: definitions.split("\n").filter(isChoice).join("\n"),
    rest,
  };
}

function readEnvironment(text: string): Record<string, string> {
  const entries = text.split("\0").flatMap((entry): [string, string][] => {
    const at = entry.indexOf("=");
    return at > 0 ? [[entry.slice(0, at), entry.slice(at + 1)]] : [];
  });
  return Object.fromEntries(entries.filter(([name]) => !isPerShell(name)).sort());
}

/** Whether a variable that is passed on is set anew by each shell, or marks the process. */
export function isPerShell(name: string): boolean {
  return perShell.has(name);
}

const perShell = new Set<string>([
  ...["_", "SHLVL", "PWD", "OLDPWD", markName],
  ...threadVariables, // threads share what is known of the shell
]);

/** Whether a script could not tell the one shell from the other. */
export function areAlike(left: ShellState, right: ShellState): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** Not what each shell has by itself, and not what it passes on. */
function isTheirs(variable: string): boolean {
  const [, flags = "", name = ""] = /^declare (-\S+) (\w+)/.exec(variable) ?? [];
  return !flags.includes("x") && !isPerShell(name) && !ownVariables.has(name);
}

const ownVariables = new Set([
  ...["BASHOPTS", "BASHPID", "BASH_ARGC", "BASH_ARGV", "BASH_EXECUTION_STRING"],
  ...["BASH_LINENO", "BASH_REMATCH", "EPOCHREALTIME", "EPOCHSECONDS", "LINENO", "PIPESTATUS"],
  ...["PPID", "RANDOM", "SECONDS", "SHELLOPTS", "SRANDOM"],
]);

/** Not the options that nobody sets: whether files are read, and how old scripts are understood. */
function isChoice(line: string): boolean {
  return !/^shopt -[su] (?:login_shell|compat\d+)$/.test(line);
}

/** How the files are that bash reads when a user logs in: another text when one of them has changed. */
export function startupFilesVersion(userHome: string): string {
  const files = [...systemFiles, ...userFiles.map((name) => join(userHome, name))];
  return files.map(versionOf).join();
}

const systemFiles = ["/etc/profile", "/etc/profile.d", "/etc/bash.bashrc", "/etc/bashrc"];

const userFiles = [".bash_profile", ".bash_login", ".profile", ".bashrc", ".bash_aliases"];

function versionOf(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino}:${size}:${mtimeMs}`;
  } catch {
    return ""; // not there, or in a home that is not ours to look at
  }
}

/**
 * Writes definitions to a file that bash reads through `BASH_ENV`, and returns its path; throws where it would
 * run what stands in the path.
 *
 * It is named after what is in it, so that there are no more files than there are shells. The folder must be
 * one that confined commands cannot write: what is in the file runs in others too.
 */
export async function writeDefinitions(
  folder: string,
  definitions: readonly string[],
): Promise<string> {
  const text = ["unset BASH_ENV", ...definitions].join("\n");
  const name = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const path = join(folder, `${name}.sh`);
  if (/[$`\\]/.test(path)) throw new Error(`Bash would not take ${path} as it is`);
  const before = await readFile(path, "utf8").catch(() => undefined);
  if (before === text) return path;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await replaceFile(path, text, { mode: 0o600 });
  return path;
}
