import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { isProcessRunning, processStart } from "../../lib/running-process.js";

/** A process that leads its own group, and what has left the group since. */
export interface ProcessTree {
  leader: number;
  strays: readonly Stray[];
}

/** A process by its number and, as numbers are used again, by when it began. */
interface Stray {
  pid: number;
  start: string;
}

/** Looks for what a process has started; once it has ended nobody knows its strays any more. */
export function treeOf(leader: number): ProcessTree {
  return { leader, strays: straysOf(leader) };
}

/** Ends all of a tree; what does not follow the signal in time is killed. Resolves when none is left. */
export async function endTree(tree: ProcessTree, graceMs: number): Promise<void> {
  signalTree(tree, "SIGTERM");
  const deadline = performance.now() + graceMs;
  while (isAlive(tree)) {
    if (performance.now() >= deadline) return signalTree(tree, "SIGKILL");
    await delay(checkMs);
  }
}

/** Sends a signal to all of a tree that is still there. */
export function signalTree({ leader, strays }: ProcessTree, signal: NodeJS.Signals): void {
  signalQuietly(-leader, signal);
  for (const { pid, start } of strays) {
    if (isProcessRunning(pid, start)) signalQuietly(pid, signal);
  }
}

const checkMs = 10;

function isAlive({ leader, strays }: ProcessTree): boolean {
  if (strays.some(({ pid, start }) => isProcessRunning(pid, start))) return true;
  if (!signalQuietly(-leader, 0)) return false;
  // The group is also there while its dead wait for someone to take notice of them.
  return process.platform !== "linux" || processes().some(({ group }) => group === leader);
}

function signalQuietly(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false;
  }
}

/** Children and children's children outside the group; only Linux shows who started whom. */
function straysOf(leader: number): Stray[] {
  if (process.platform !== "linux") return [];
  const all = processes();
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

function processes(): { pid: number; parent: number; group: number }[] {
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    const facts = pid > 0 ? factsOf(pid) : undefined;
    return facts === undefined ? [] : [{ pid, ...facts }];
  });
}

function factsOf(pid: number): { parent: number; group: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state, parent, group] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    if (state === "Z" || state === "X") return undefined;
    return { parent: Number(parent), group: Number(group) };
  } catch {
    return undefined;
  }
}
