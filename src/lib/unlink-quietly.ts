import { unlinkSync } from "node:fs";

/** Removes a file; one that is gone already is what was wanted. */
export function unlinkQuietly(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Never made, or taken away by someone else.
  }
}
