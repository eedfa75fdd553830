import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { invalidParams } from "./errors.js";

/** Throws if a folder, by the name of its parameter, is not absolute or does not exist here. */
export async function requireFolders(
  folders: Readonly<Record<string, readonly string[]>>,
  { isLocal }: { isLocal: boolean },
): Promise<void> {
  for (const [field, paths] of Object.entries(folders)) {
    for (const path of paths) {
      const shown = JSON.stringify(path.slice(0, 200));
      if (!isAbsolute(path)) {
        throw invalidParams(`\`${field}\` must be an absolute path (got ${shown})`);
      }
      if (!isLocal || (await isFolder(path))) continue;
      throw invalidParams(`\`${field}\` must be a folder that exists (got ${shown})`);
    }
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
