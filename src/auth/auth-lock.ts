import { mkdir } from "node:fs/promises";
import { withFileLock } from "../lib/file-lock.js";
import { authFilePath } from "./auth-file.js";

/** A renewal may take a minute; whoever waits for it must be more patient than that. */
const patience = { sameHolderMs: 75_000, totalMs: 150_000 };

/**
 * Runs something while no other process signs in, signs out or renews tokens for this home.
 *
 * Without it two sessions would spend the same refresh token, and a renewal under way could bring
 * back a login that the user has just removed.
 */
export async function withAuthLock<T>(home: string, run: () => Promise<T>): Promise<T> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  return withFileLock(`${authFilePath(home)}.lock`, patience, run);
}
