import { setTimeout as delay } from "node:timers/promises";
import {
  isProcessRunning,
  numbersSince,
  type ProcessEntry,
  processEntries,
  processEntry,
  processEnvironment,
  processStart,
} from "./process-table.js";

/** A process and all of its descendants. */
export interface ProcessTree {
  /** Leader of a separate process group; 0 if another program has started it. */
  pid: number;
  /**
   * Environment entry unique to this tree. Children that left the group still carry it; one that
   * also dropped its environment is not found.
   */
  mark?: string;
  /** Processes that had left the group when an unmarked tree was inspected. */
  strays?: readonly Stray[];
}

/** Identifies a process by pid and start time, since pids are reused. */
interface Stray {
  pid: number;
  start: string;
}

/** Environment variable that marks a tree. */
export const markName = "QUIRE_PROCESS_TREE";

/**
 * Inspects an unmarked process and its descendants. Call it before the process ends: afterwards its
 * strays cannot be found.
 */
export function treeOf(pid: number): ProcessTree {
  return { pid, strays: straysOf(pid) };
}

/** Sends SIGTERM to a tree, and SIGKILL after `graceMs`. Resolves once all of it is gone. */
export async function endTree(tree: ProcessTree, graceMs: number): Promise<void> {
  if (!signalTree(tree, "SIGTERM")) return;
  const deadline = performance.now() + graceMs;
  while (performance.now() < deadline) {
    await delay(checkMs);
    if (!isAlive(tree)) return;
  }
  await killTree(tree);
}

/** Kills a tree. */
async function killTree(tree: ProcessTree): Promise<void> {
  const deadline = performance.now() + longestKill;
  while (isAlive(tree) && performance.now() < deadline) {
    signalTree(tree, "SIGKILL");
    await delay(checkMs);
  }
}

/** Sends a signal to a tree; returns false if all of it is gone. */
export function signalTree(tree: ProcessTree, signal: NodeJS.Signals): boolean {
  const group = tree.pid !== 0 && signalQuietly(-tree.pid, signal);
  const escaped = escapedFrom(tree).filter((pid) => signalQuietly(pid, signal));
  return group || escaped.length > 0;
}

const checkMs = 10;
const longestKill = 2_000;

function isAlive(tree: ProcessTree): boolean {
  return groupIsAlive(tree.pid) || escapedFrom(tree).length > 0;
}

/** `kill(2)` also succeeds for a group whose last members are zombies. */
function groupIsAlive(pid: number): boolean {
  if (pid === 0 || !signalQuietly(-pid, 0)) return false;
  return process.platform !== "linux" || processEntries().some(({ group }) => group === pid);
}

/**
 * Returns the processes of the tree outside its group: those in the group are reached through it,
 * and a second signal would hit the processes they start to clean up after the first. Only Linux
 * exposes the environment and the parents of other processes.
 */
function escapedFrom({ pid, mark, strays = [] }: ProcessTree): number[] {
  const seen = strays.flatMap((stray) =>
    isProcessRunning(stray.pid, stray.start) ? [stray.pid] : [],
  );
  if (mark === undefined || process.platform !== "linux") return seen;
  const wanted = `${markName}=${mark}`;
  // Other commands of this process carry marks of their own; with many at once they are most of the newer processes.
  const marked = numbersSince(pid, running).filter(
    (candidate) =>
      processEnvironment(candidate).includes(wanted) && processEntry(candidate)?.group !== pid,
  );
  return [...seen, ...marked];
}

/** Returns descendants outside the group. */
function straysOf(leader: number): Stray[] {
  const all = processEntries();
  const family = new Set([leader]);
  for (let known = 0; known < family.size; ) {
    known = family.size;
    for (const { pid, parent, group } of all) {
      if (family.has(parent) || group === leader) family.add(pid);
    }
  }
  return all
    .filter(({ pid, group }) => family.has(pid) && group !== leader)
    .map(({ pid }) => ({ pid, start: processStart(pid) }));
}

function signalQuietly(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

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

/** Registers that another program has started a command for us: its processes are not known. */
export function registerHostedCommand(): void {
  formerGroups.add(unknownGroup);
}

/** Group of no process. */
const unknownGroup = -1;

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
