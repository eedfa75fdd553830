import { statSync } from "node:fs";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { randomUuid } from "../../lib/ids.js";
import { CodexError } from "../../protocol/error.js";

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the directory of config and sessions: `$CODEX_HOME`, otherwise `~/.codex`. */
export function codexHome(env: Environment): string {
  const home = env.CODEX_HOME;
  if (home === undefined || home === "") return join(userHome(env), ".codex");
  if (!statSync(home, { throwIfNoEntry: false })?.isDirectory()) {
    const message = `CODEX_HOME is ${home}, which is not a directory: create it or unset CODEX_HOME`;
    throw new CodexError("config", message);
  }
  return home;
}

/** Returns the home directory of the user. */
export function userHome(env: Environment): string {
  return env.HOME || homedir();
}

/** Returns the directory of system-wide files. */
export function systemFolder(env: Environment): string {
  if (process.platform !== "win32") return "/etc/codex";
  return join(env.ProgramData || "C:\\ProgramData", "OpenAI", "Codex");
}

/**
 * Reads the id of this installation from the home directory; creates it on first use.
 *
 * Returns a new id per process if the directory is not writable.
 */
export async function readInstallationId(home: string): Promise<string> {
  const path = join(home, "installation_id");
  const kept = await readKept(path);
  if (kept !== undefined) return kept;
  const id = randomUuid();
  const draft = `${path}.${id}`;
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await writeFile(draft, id, { flag: "wx", mode: 0o600 });
    // A link appears with its content, so that no process ever reads an empty file.
    await link(draft, path);
    return id;
  } catch {
    // Another process may have created it first.
    return (await readKept(path)) ?? id;
  } finally {
    await rm(draft, { force: true }).catch(() => {});
  }
}

async function readKept(path: string): Promise<string | undefined> {
  const text = (await readFile(path, "utf8").catch(() => "")).trim();
  return text === "" ? undefined : text;
}
