import { type ProcessEntry, processEntries, processEnvironment } from "./process-table.js";
import { markName } from "./process-tree.js";

/** Running commands of this process; there is one process, so there is one registry. */
const running = new Map<number, OwnCommand>();

/** Groups of ended commands that ran without a sandbox; their children may still be running. */
const formerGroups = new Set<number>();

interface OwnCommand {
  /** True for a sandbox launcher: it is part of this program, only its children are not. */
  isLauncher: boolean;
}

/** Registers a command that leads a process group; returns a function that unregisters it. */
export function registerCommand(pid: number, isLauncher: boolean): () => void {
  running.set(pid, { isLauncher });
  return () => {
    running.delete(pid);
    // Everything in a sandbox ends with it.
    if (isLauncher) return;
    formerGroups.add(pid);
    const [oldest] = formerGroups;
    if (formerGroups.size > mostGroups && oldest !== undefined) formerGroups.delete(oldest);
  };
}

const mostGroups = 10_000;

/** Returns true if a descendant of a command may exist. */
export function mayHaveDescendants(): boolean {
  return running.size > 0 || formerGroups.size > 0;
}

/** All processes of the machine, and which of them descend from our commands. */
export interface OwnDescendants {
  entries: ReadonlyMap<number, ProcessEntry>;
  /** Found by parent and by group. */
  descendants: ReadonlySet<number>;
}

/**
 * Finds the processes that descend from our commands.
 *
 * A sandbox with a separate PID namespace contains all of its processes. Without one, a process
 * that leaves its parent, its group and (by `env -i`) its marked environment is not found.
 */
export function findOwnDescendants(): OwnDescendants {
  const entries = new Map(processEntries().map((entry) => [entry.pid, entry]));
  const family = new Set([...running.keys()]);
  for (const { pid, group } of entries.values()) {
    // If the leader exists again, its pid was reused by another process.
    if (running.has(group) || (formerGroups.has(group) && !entries.has(group))) family.add(pid);
  }
  for (let known = 0; known < family.size; ) {
    known = family.size;
    for (const { pid, parent } of entries.values()) if (family.has(parent)) family.add(pid);
  }
  for (const [pid, { isLauncher }] of running) if (isLauncher) family.delete(pid);
  family.delete(process.pid);
  return { entries, descendants: family };
}

/** Returns true if a process or one of its ancestors carries the mark of a command. */
export function carriesMark(pid: number, entries: OwnDescendants["entries"]): boolean {
  // If a command started us, our clients carry the same mark.
  const own = process.env[markName];
  const seen = new Set<number>();
  for (let at: number | undefined = pid; at !== undefined && at > 1 && !seen.has(at); ) {
    seen.add(at);
    const mark = processEnvironment(at).find((entry) => entry.startsWith(`${markName}=`));
    if (mark !== undefined && mark !== `${markName}=${own}`) return true;
    at = entries.get(at)?.parent;
  }
  return false;
}
