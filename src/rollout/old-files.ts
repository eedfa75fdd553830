import { readHead } from "./head.js";
import { historyBaseOf } from "./history-base.js";
import { type StoredFile, walkStoredFiles } from "./stored-files.js";

/**
 * The rollouts that nothing was added to since a time, and that nobody needs.
 *
 * One that a younger conversation goes on from stays: without it that one would have no beginning.
 */
export async function findOldFiles(home: string, before: number): Promise<StoredFile[]> {
  const old = new Map<string, StoredFile[]>();
  const young: StoredFile[] = [];
  for await (const file of walkStoredFiles(home)) {
    if (file.updatedAtMs >= before) young.push(file);
    else old.set(file.id, [...(old.get(file.id) ?? []), file]);
  }
  if (old.size > 0) for (const file of young) await keepBases(file, old);
  return [...old.values()].flat();
}

/** Takes what a file goes on from out of the old ones, and what that goes on from. */
async function keepBases({ path }: StoredFile, old: Map<string, StoredFile[]>): Promise<void> {
  const base = historyBaseOf((await readHead(path)).meta)?.thread_id.toLowerCase();
  const needed = base === undefined ? undefined : old.get(base);
  if (base === undefined || needed === undefined) return;
  old.delete(base);
  for (const file of needed) await keepBases(file, old);
}
