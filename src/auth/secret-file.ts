import { readFile, stat, unlink } from "node:fs/promises";
import { errorCode } from "../lib/error-code.js";
import { errorText } from "../lib/error-text.js";
import { followLinks, replaceFile } from "../lib/replace-file.js";
import { CodexError } from "../protocol/error.js";

/** No login comes near this. */
const largestSecret = 1024 * 1024;

/** Reads a small file; nothing when there is none. */
export async function readSecretFile(path: string): Promise<string | undefined> {
  try {
    const { size } = await expectFile(path);
    if (size > largestSecret) throw new Error(`it has ${size} bytes, which no login has`);
    return await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw failed("read", path, error);
  }
}

/**
 * Puts a text in place of a file in one step, for its owner alone.
 *
 * A link stays a link: what it points to is replaced. A failure leaves the old file.
 */
export async function writeSecretFile(path: string, text: string): Promise<void> {
  try {
    const target = await followLinks(path);
    await expectFile(target).catch(unlessMissing);
    await replaceFile(target, text, { mode: 0o600 });
  } catch (error) {
    throw failed("write", path, error);
  }
}

/** Removes the file or link; false when there was none. */
export async function removeSecretFile(path: string): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw failed("remove", path, error);
  }
}

/** A pipe would never end, and a device must not be replaced. */
async function expectFile(path: string): Promise<{ size: number }> {
  const stats = await stat(path);
  if (!stats.isFile()) throw new Error("it is not a file");
  return stats;
}

function unlessMissing(error: unknown): void {
  if (errorCode(error) !== "ENOENT") throw error;
}

function failed(verb: string, path: string, cause: unknown): CodexError {
  const reason = errorText(cause);
  return new CodexError("io", `Could not ${verb} ${path}: ${reason}`, { cause });
}
