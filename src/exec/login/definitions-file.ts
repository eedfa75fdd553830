import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "../../lib/replace-file.js";

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
