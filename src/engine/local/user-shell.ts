import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename } from "node:path";
import type { Environment } from "../../config/index.js";
import { readLoginShell } from "../../lib/login-shell.js";
import { toUserShell, withUserProfile } from "../../shell/index.js";

/** Name of the user's shell without its path, if the engine knows its syntax. */
export function userShellName(): string | undefined {
  const name = basename(loginShell() ?? "");
  return knownShells.has(name) ? name : undefined;
}

const knownShells: ReadonlySet<string> = new Set(["bash", "zsh"]);

/** Path of the user's shell; `/bin/sh` if the user has none that runs scripts. */
export function userShellPath(): string {
  const shell = loginShell();
  return shell && !/\/(nologin|false)$/.test(shell) ? shell : "/bin/sh";
}

/** A command as the user's shell runs it after its start-up file; itself where that is not known. */
export function inUserProfile(argv: readonly string[], env: Environment): readonly string[] {
  const shell = toUserShell(userShellPath(), env.HOME || homedir());
  return withUserProfile(shell, argv, existsSync) ?? argv;
}

/** The shell that the password file names for the user; looked up once. */
function loginShell(): string | undefined {
  known ??= { shell: readLoginShell() };
  return known.shell;
}

let known: { shell: string | undefined } | undefined;
