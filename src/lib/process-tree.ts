import { setTimeout as delay } from "node:timers/promises";
import {
  isProcessRunning,
  numbersSince,
  processEntries,
  processEntry,
  processEnvironment,
  processStart,
} from "./process-table.js";

/** A process and all that it started. */
export interface ProcessTree {
  /** The leader of a process group of its own. */
  pid: number;
  /**
   * An entry of the environment that only this tree has. Children that left the group still carry it;
   * only one that threw away its environment as well is lost.
   */
  mark?: string;
  /** What had left the group when someone looked, where nothing marks it. */
  strays?: readonly Stray[];
}

/** A process by its number and, as numbers are used again, by when it began. */
interface Stray {
  pid: number;
  start: string;
}

/** The name of the variable that marks a tree. */
export const markName = "QUIRE_PROCESS_TREE";

/** Looks for what an unmarked process has started; once it has ended nobody knows its strays. */
export function treeOf(pid: number): ProcessTree {
  return { pid, strays: straysOf(pid) };
}

/** Asks a tree to end, and after `graceMs` makes it. Resolves once none of it is left. */
export async function endTree(tree: ProcessTree, graceMs: number): Promise<void> {
  if (!signalTree(tree, "SIGTERM")) return;
  const deadline = performance.now() + graceMs;
  while (performance.now() < deadline) {
    await delay(checkMs);
    if (!isAlive(tree)) return;
  }
  await killTree(tree);
}

/** Ends a tree without asking. */
async function killTree(tree: ProcessTree): Promise<void> {
  const deadline = performance.now() + longestKill;
  while (isAlive(tree) && performance.now() < deadline) {
    signalTree(tree, "SIGKILL");
    await delay(checkMs);
  }
}

/** Sends a signal to all of a tree; false when none of it is left. */
export function signalTree(tree: ProcessTree, signal: NodeJS.Signals): boolean {
  const group = signalQuietly(-tree.pid, signal);
  const escaped = escapedFrom(tree).filter((pid) => signalQuietly(pid, signal));
  return group || escaped.length > 0;
}

const checkMs = 10;
const longestKill = 2_000;

function isAlive(tree: ProcessTree): boolean {
  return groupIsAlive(tree.pid) || escapedFrom(tree).length > 0;
}

/** A group also counts as there while its last members wait to be reaped by someone else. */
function groupIsAlive(pid: number): boolean {
  if (!signalQuietly(-pid, 0)) return false;
  return process.platform !== "linux" || processEntries().some(({ group }) => group === pid);
}

/**
 * Processes of the tree that are not in its group: those in it are reached through it, and a second
 * signal would hit what they start to clean up after the first. Only Linux shows the environment of
 * others, and who started whom.
 */
function escapedFrom({ pid, mark, strays = [] }: ProcessTree): number[] {
  const seen = strays.flatMap((stray) =>
    isProcessRunning(stray.pid, stray.start) ? [stray.pid] : [],
  );
  if (mark === undefined || process.platform !== "linux") return seen;
  const wanted = `${markName}=${mark}`;
  const marked = numbersSince(pid).filter(
    (candidate) =>
      processEnvironment(candidate).includes(wanted) && processEntry(candidate)?.group !== pid,
  );
  return [...seen, ...marked];
}

/** Children and children's children outside the group. */
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
