import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Takes back rewinds of files whose processes were killed. Without one it only looks for their journals. */
export async function recoverFiles(home: string): Promise<void> {
  const folder = join(home, "checkpoints");
  if (!hasEntries(join(folder, "journals"))) return;
  const { recoverRestores } = await import("../../checkpoint/index.js");
  await recoverRestores(folder);
}

function hasEntries(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false; // there never was one
  }
}
