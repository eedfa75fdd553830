import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { randomUuid } from "../lib/random.js";

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
