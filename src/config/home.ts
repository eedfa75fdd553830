import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { CodexError } from "../protocol/error.js";

/** The environment variables of the process, or of a test. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of the user's settings and conversations: `$CODEX_HOME`, else `~/.codex`. */
export function codexHome(env: Environment): string {
  const home = env.CODEX_HOME;
  if (home === undefined || home === "") return join(userHome(env), ".codex");
  if (!statSync(home, { throwIfNoEntry: false })?.isDirectory()) {
    const message = `CODEX_HOME is ${home}, which is not a directory: create it or unset CODEX_HOME`;
    throw new CodexError("config", message);
  }
  return home;
}

/** The user's own folder, which `~` stands for. */
export function userHome(env: Environment): string {
  return env.HOME || homedir();
}

/** The folder of the files for the whole machine. */
export function systemFolder(env: Environment): string {
  if (process.platform !== "win32") return "/etc/codex";
  return join(env.ProgramData || "C:\\ProgramData", "OpenAI", "Codex");
}
