import { readFile } from "node:fs/promises";
import { errorCode } from "../../lib/error-code.js";
import { errorText } from "../../lib/error-text.js";
import { withFileLock } from "../../lib/file-lock.js";
import { followLinks, removeLeftovers, replaceFile } from "../../lib/replace-file.js";
import { CodexError } from "../../protocol/error.js";

/**
 * Replaces the text of a file by what `change` makes of it, so that no reader ever sees half of it
 * and a second writer waits for the first.
 *
 * Missing directories are made. When `change` returns nothing the file is left alone. Throws when
 * another writer holds the lock for five seconds.
 */
export async function changeFile(
  path: string,
  change: (text: string) => string | undefined,
): Promise<void> {
  try {
    const target = await followLinks(path);
    await withFileLock(`${target}.lock`, patience, async () => {
      await removeLeftovers(target);
      const changed = change(await readText(target));
      if (changed !== undefined) await replaceFile(target, changed);
    });
  } catch (error) {
    if (error instanceof CodexError) throw error;
    const reason = errorText(error);
    throw new CodexError("io", `Cannot change ${path}: ${reason}`, { cause: error });
  }
}

const patience = { sameHolderMs: 5_000, totalMs: 30_000 };

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "";
    throw error;
  }
}
