import type { Thread } from "../../protocol/rpc/v2/thread.js";

/** State of a thread that the list shows; undefined if it is at rest. */
export type ThreadState = "waiting" | "running" | "failed";

/** A group of the list. */
export interface ThreadGroup {
  name: string;
  threads: Thread[];
}

/** Groups threads by what they need from the user, then by age. */
export function groupThreads(
  threads: readonly Thread[],
  waiting: ReadonlySet<string>,
  now = new Date(),
): ThreadGroup[] {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime() / 1000;
  const groups = new Map<string, Thread[]>(groupNames.map((name) => [name, []]));
  for (const thread of threads) {
    groups.get(groupOf(thread, waiting, today))?.push(thread);
  }
  return [...groups].flatMap(([name, group]) =>
    group.length === 0 ? [] : [{ name, threads: group }],
  );
}

/** Returns the state of a thread. */
export function stateOf(
  { id, status }: Thread,
  waiting: ReadonlySet<string>,
): ThreadState | undefined {
  if (waiting.has(id)) return "waiting";
  if (status.type === "systemError") return "failed";
  if (status.type !== "active") return undefined;
  return status.activeFlags.length > 0 ? "waiting" : "running";
}

/** Returns the name of a thread, or its first words. */
export function titleOf({ name, preview }: Pick<Thread, "name" | "preview">): string {
  const title = (name ?? preview).replaceAll(/\s+/g, " ").trim();
  return title.length > 120 ? `${title.slice(0, 120)}…` : title || "Untitled";
}

const groupNames = ["Waiting for you", "Running", "Today", "Yesterday", "Earlier"];

function groupOf(thread: Thread, waiting: ReadonlySet<string>, today: number): string {
  const state = stateOf(thread, waiting);
  if (state === "waiting") return "Waiting for you";
  if (state === "running") return "Running";
  if (thread.updatedAt >= today) return "Today";
  return thread.updatedAt >= today - 86_400 ? "Yesterday" : "Earlier";
}
