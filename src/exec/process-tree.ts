import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** A process and all that it started. */
export interface ProcessTree {
  /** The leader of a process group of its own. */
  pid: number;
  /**
   * An entry of the environment that only this tree has. Children that left the group still carry it;
   * only one that threw away its environment as well is lost.
   */
  mark?: string;
}

/** The name of the variable that marks a tree. */
export const markName = "QUIRE_PROCESS_TREE";

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
export async function killTree(tree: ProcessTree): Promise<void> {
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
  if (process.platform !== "linux") return true;
  return processNumbers().some((candidate) => groupOf(candidate) === pid);
}

/** The group of a process that runs; nothing for one that only waits to be reaped. */
function groupOf(pid: number): number | undefined {
  const [state, , group] = statOf(pid) ?? [];
  return state === undefined || state === "Z" || state === "X" ? undefined : Number(group);
}

/**
 * Processes with the mark of the tree that are not in its group: those in it are reached through it,
 * and a second signal would hit what they start to clean up after the first. Only Linux shows the
 * environment of others.
 */
function escapedFrom({ pid, mark }: ProcessTree): number[] {
  if (mark === undefined || process.platform !== "linux") return [];
  const wanted = `${markName}=${mark}`;
  return numbersSince(pid).filter(
    (candidate) => environmentOf(candidate).includes(wanted) && groupOf(candidate) !== pid,
  );
}

/** Processes started after one: their numbers go up from it and, at the end, start again below it. */
function numbersSince(pid: number): number[] {
  const last = Number(readQuietly("/proc/loadavg")?.trim().split(" ").at(-1) ?? 0);
  return processNumbers().filter((candidate) =>
    last >= pid ? candidate > pid && candidate <= last : candidate > pid || candidate <= last,
  );
}

function processNumbers(): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((number) => number > 0);
}

function environmentOf(pid: number): string[] {
  return readQuietly(`/proc/${pid}/environ`)?.split("\0") ?? [];
}

function statOf(pid: number): string[] | undefined {
  const text = readQuietly(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(")") + 2).split(" ");
}

function readQuietly(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

function signalQuietly(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
