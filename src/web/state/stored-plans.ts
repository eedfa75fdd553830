import type { Turn } from "../../protocol/rpc/v2/turn.js";
import type { Plan } from "./thread-view.js";

/** The history has no plans, so this browser stores those of recent turns. */
const key = "quire.plans";
const mostPlans = 50;

type Stored = [turnId: string, threadId: string, plan: Plan][];

/** Stores the plan of a turn. */
export function storePlan(threadId: string, turnId: string, plan: Plan): void {
  const others = read().filter(([id]) => id !== turnId);
  const all: Stored = [...others, [turnId, threadId, plan]];
  try {
    localStorage.setItem(key, JSON.stringify(all.slice(-mostPlans)));
  } catch {
    // Without storage a plan is lost with the page.
  }
}

/** Returns the stored plans of turns. */
export function storedPlans(threadId: string, turns: readonly Turn[]): [string, Plan][] {
  const ids = new Set(turns.map(({ id }) => id));
  return read().flatMap(([turnId, thread, plan]) =>
    thread === threadId && ids.has(turnId) ? [[turnId, plan] as [string, Plan]] : [],
  );
}

function read(): Stored {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "[]");
  } catch {
    return [];
  }
}
