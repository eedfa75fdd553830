import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isProcessRunning, ownStart } from "../../lib/process-table.js";

/**
 * Returns the folder of this worker's process, and removes those that killed workers of its name have left.
 *
 * Two workers may have one name by mistake; each has a folder of its own.
 */
export async function openWorkerHome(codexHome: string, name: string): Promise<string> {
  const all = join(codexHome, "fleet", name);
  await mkdir(all, { recursive: true });
  const left = (await readdir(all)).filter((folder) => !isInUse(folder));
  await Promise.all(left.map((folder) => rm(join(all, folder), { recursive: true, force: true })));
  return join(all, `${process.pid}-${ownStart()}`);
}

function isInUse(folder: string): boolean {
  const [, pid, start] = /^(\d+)-(\d*)$/.exec(folder) ?? [];
  return pid !== undefined && start !== undefined && isProcessRunning(Number(pid), start);
}
