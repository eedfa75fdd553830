import { mkdir } from "node:fs/promises";
import { errorText } from "../lib/error-text.js";
import { withFileLock } from "../lib/file-lock.js";
import { CodexError } from "../protocol/error.js";
import { authFilePath } from "./auth-file.js";

/** A renewal may take a minute; whoever waits for it must be more patient than that. */
const patience = { sameHolderMs: 75_000, totalMs: 150_000 };

/**
 * Runs something while no other process signs in, signs out or renews tokens for this home.
 *
 * Without it two sessions would spend the same refresh token, and a renewal under way could bring
 * back a login that the user has just removed. Throws, before anything is done, when the lock
 * cannot be had: then nothing could be stored either.
 */
export async function withAuthLock<T>(home: string, run: () => Promise<T>): Promise<T> {
  let locked = false;
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    return await withFileLock(`${authFilePath(home)}.lock`, patience, () => {
      locked = true;
      return run();
    });
  } catch (cause) {
    if (locked) throw cause;
    const reason = errorText(cause);
    throw new CodexError("io", `The login in ${home} cannot be locked: ${reason}`, { cause });
  }
}
