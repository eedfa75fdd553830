import { existsSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import type { Environment } from "../../config/index.js";
import { toUserShell, withUserProfile } from "../../shell/index.js";

/** Where the user's shell is; the plainest one for users who have none that runs scripts. */
export function userShellPath(): string {
  try {
    const { shell } = userInfo();
    return shell && !/\/(nologin|false)$/.test(shell) ? shell : "/bin/sh";
  } catch {
    // A user without an entry in the password file has no shell.
    return "/bin/sh";
  }
}

/** A command as the user's shell runs it after its start-up file; itself where that is not known. */
export function inUserProfile(argv: readonly string[], env: Environment): readonly string[] {
  const shell = toUserShell(userShellPath(), env.HOME || homedir());
  return withUserProfile(shell, argv, existsSync) ?? argv;
}
