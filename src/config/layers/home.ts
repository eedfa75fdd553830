import { statSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { randomUuid } from "../../lib/ids.js";
import { CodexError } from "../../protocol/error.js";

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

/**
 * The name of this installation: made once and kept in the home folder.
 *
 * Where the folder cannot be written to, it is another one for each process.
 */
export async function readInstallationId(home: string): Promise<string> {
  const path = join(home, "installation_id");
  const kept = await readKept(path);
  if (kept !== undefined) return kept;
  const id = randomUuid();
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await writeFile(path, id, { flag: "wx", mode: 0o600 });
    return id;
  } catch {
    // Another process may have been first, and then its name holds.
    return (await readKept(path)) ?? id;
  }
}

async function readKept(path: string): Promise<string | undefined> {
  const text = (await readFile(path, "utf8").catch(() => "")).trim();
  return text === "" ? undefined : text;
}
