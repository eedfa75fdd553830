import { stat } from "node:fs/promises";
import { walkRollouts } from "./walk.js";

/** A rollout on disk, without what stands in it. */
export interface StoredFile {
  id: string;
  path: string;
  archived: boolean;
  bytes: number;
  /** When it was last added to, in milliseconds since 1970. */
  updatedAtMs: number;
}

/** The rollouts of a home, newest first: first those in use, then those that were put away. */
export async function* walkStoredFiles(home: string): AsyncGenerator<StoredFile> {
  for (const archived of [false, true]) {
    for await (const { id, path } of walkRollouts(home, archived)) {
      // Others may put a file away or remove it while we walk.
      const stats = await stat(path).catch(() => undefined);
      if (stats === undefined) continue;
      yield { id, path, archived, bytes: stats.size, updatedAtMs: stats.mtimeMs };
    }
  }
}
