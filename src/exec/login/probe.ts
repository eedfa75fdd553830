import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isPlaceholderFile } from "../../lib/placeholder-file.js";
import { markName } from "../../lib/process-tree.js";
import { replaceFile } from "../../lib/replace-file.js";
import { threadVariables } from "../environment.js";

/** State of a shell after its start. */
export interface ShellState {
  /** Exported variables, without those that each shell sets. */
  env: Readonly<Record<string, string>>;
  /** Variables that are not exported, as `declare` commands. */
  variables: readonly string[];
  /** Functions, aliases, options and similar, as commands. */
  definitions: string;
  /** All else that a script could notice. */
  rest: string;
}

/** Returns a bash script that prints its state; `mark` separates it from output of start-up files. */
export function probeScript(mark: string): string {
  const parts = [
    ["command env -0"],
    ["declare -p"],
    // Some options affect how functions are parsed, others how errors in them are handled.
    ["shopt -p", "declare -f", "alias -p", "umask -p", "trap", "set +o"],
    ["pwd -P", "ulimit -Sa", "ulimit -Ha"],
  ];
  return parts.map((part) => `printf '%s\\0' ${mark}; ${part.join("; ")}`).join("; ");
}

/** Parses the output of the script; `undefined` if it is incomplete or not valid text. */
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

/** Returns true for a variable that each shell sets, or that marks the process. */
export function isPerShell(name: string): boolean {
  return perShell.has(name);
}

const perShell = new Set<string>([
  ...["_", "SHLVL", "PWD", "OLDPWD", markName],
  ...threadVariables, // threads share the state of the shell
]);

/** Returns true if a script could not distinguish the two shells. */
export function areAlike(left: ShellState, right: ShellState): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** Excludes variables that each shell sets, and exported ones. */
function isTheirs(variable: string): boolean {
  const [, flags = "", name = ""] = /^declare (-\S+) (\w+)/.exec(variable) ?? [];
  return !flags.includes("x") && !isPerShell(name) && !ownVariables.has(name);
}

const ownVariables = new Set([
  ...["BASHOPTS", "BASHPID", "BASH_ARGC", "BASH_ARGV", "BASH_EXECUTION_STRING"],
  ...["BASH_LINENO", "BASH_REMATCH", "EPOCHREALTIME", "EPOCHSECONDS", "LINENO", "PIPESTATUS"],
  ...["PPID", "RANDOM", "SECONDS", "SHELLOPTS", "SRANDOM"],
]);

/** Excludes `login_shell` and the compatibility levels, which users do not set. */
function isChoice(line: string): boolean {
  return !/^shopt -[su] (?:login_shell|compat\d+)$/.test(line);
}

/** Returns a version of the login files of bash; it changes when one of them does. */
export function startupFilesVersion(userHome: string): string {
  const files = [...systemFiles, ...userFiles.map((name) => join(userHome, name))];
  return files.map(versionOf).join();
}

const systemFiles = ["/etc/profile", "/etc/profile.d", "/etc/bash.bashrc", "/etc/bashrc"];

const userFiles = [".bash_profile", ".bash_login", ".profile", ".bashrc", ".bash_aliases"];

function versionOf(path: string): string {
  try {
    const entry = statSync(path);
    // It stands for a missing file, and is gone after the command.
    if (isPlaceholderFile(entry)) return "";
    const { ino, size, mtimeMs } = entry;
    return `${ino}:${size}:${mtimeMs}`;
  } catch {
    return ""; // not there, or in a home that is not ours to look at
  }
}

/**
 * Writes definitions to a file for `BASH_ENV` and returns its path; throws if bash would expand the
 * path.
 *
 * The name is a hash of the content, so there are no more files than shells. Confined commands must
 * not be able to write to the folder: the file also runs in unconfined ones.
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
