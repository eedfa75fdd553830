import { type ProcessEntry, processEntries, processEnvironment } from "./process-table.js";
import { markName } from "./process-tree.js";

/** The commands of this process that run; there is one process, so there is one registry. */
const running = new Map<number, OwnCommand>();

/** Groups of commands that ran without a sandbox and have ended, whose children may live on. */
const formerGroups = new Set<number>();

interface OwnCommand {
  /** Whether the process is the launcher of a sandbox, which is ours, and only what it starts is not. */
  isLauncher: boolean;
}

/** Registers a command that was started as the leader of a group; returns what removes it. */
export function registerCommand(pid: number, isLauncher: boolean): () => void {
  running.set(pid, { isLauncher });
  return () => {
    running.delete(pid);
    // What runs in a sandbox ends with it.
    if (isLauncher) return;
    formerGroups.add(pid);
    const [oldest] = formerGroups;
    if (formerGroups.size > mostGroups && oldest !== undefined) formerGroups.delete(oldest);
  };
}

const mostGroups = 10_000;

/** Returns whether a process may exist that descends from a command of ours. */
export function mayHaveDescendants(): boolean {
  return running.size > 0 || formerGroups.size > 0;
}

/** The processes of the machine, with those set apart that descend from our commands. */
export interface OwnDescendants {
  entries: ReadonlyMap<number, ProcessEntry>;
  /** Found by who started whom and by group. */
  descendants: ReadonlySet<number>;
}

/**
 * Finds the processes that descend from our commands.
 *
 * In a sandbox with process numbers of its own nothing gets away from its launcher. Without one, a
 * process can leave parent, group and, by `env -i`, its marked environment: that one is not found.
 */
export function findOwnDescendants(): OwnDescendants {
  const entries = new Map(processEntries().map((entry) => [entry.pid, entry]));
  const family = new Set([...running.keys()]);
  for (const { pid, group } of entries.values()) {
    // A leader that is there again has a number that was used again.
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

/** Returns whether a process, or one that it descends from, carries the mark of a command. */
export function carriesMark(pid: number, entries: OwnDescendants["entries"]): boolean {
  // Started by a command ourselves, we share its mark with our clients.
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
