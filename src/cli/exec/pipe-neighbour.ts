import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";

/**
 * Whether a pipe that we read is written by a neighbour in a pipeline, as in `curl … | quire exec …`.
 *
 * A neighbour closes the pipe when it is done. Whoever is above us in the tree of processes, or on
 * the other side of a socket or a container, may have left it open by mistake. Where the system does
 * not tell who has a pipe open, the answer is no.
 */
export async function hasNeighbour(fd: number): Promise<boolean> {
  const pipe = await readlink(`/proc/self/fd/${fd}`).catch(() => "");
  if (!pipe.startsWith("pipe:")) return false;
  const ancestors = await readAncestors();
  for (const pid of await readdir("/proc").catch(() => [])) {
    if (!/^\d+$/.test(pid) || ancestors.has(pid)) continue;
    if (await writesTo(pid, pipe)) return true;
  }
  return false;
}

/** Ourselves, and those above us. */
async function readAncestors(): Promise<Set<string>> {
  const pids = new Set<string>();
  for (let pid = String(process.pid); pid !== "0" && pid !== "" && !pids.has(pid); ) {
    pids.add(pid);
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    pid = /^PPid:\s*(\d+)/m.exec(status)?.[1] ?? "";
  }
  return pids;
}

async function writesTo(pid: string, pipe: string): Promise<boolean> {
  const folder = join("/proc", pid, "fd");
  // Processes of other users do not show what they have open.
  for (const fd of await readdir(folder).catch(() => [])) {
    if ((await readlink(join(folder, fd)).catch(() => "")) !== pipe) continue;
    const info = await readFile(join("/proc", pid, "fdinfo", fd), "utf8").catch(() => "");
    const flags = Number.parseInt(/^flags:\s*([0-7]+)/m.exec(info)?.[1] ?? "0", 8);
    if ((flags & 0b11) !== 0) return true;
  }
  return false;
}
