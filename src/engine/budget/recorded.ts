import { type ConfiguredPrices, costOf, priceOf } from "../../model/index.js";
import type { EventMsg } from "../../protocol/types.js";
import {
  readFileTurns,
  readFileUsage,
  readUsageFiles,
  type UsageRecord,
} from "../../rollout/index.js";
import { type Amounts, addAmounts, noAmounts } from "./amounts.js";

/** Reads what a thread has used so far from its rollout; a turn counts from its start. */
export function readThread(path: string, id: string, prices?: ConfiguredPrices): Amounts {
  const { turns, seconds } = readFileTurns(path);
  const used = amountsOf(readFileUsage(path, id), prices);
  return { ...used, turns, seconds };
}

/** Finds and reads the logs of threads. */
export interface RecordedThreads {
  find(threadId: string): Promise<string | undefined>;
  read(path: string): Promise<{ initialMessages: readonly EventMsg[] }>;
  prices: ConfiguredPrices | undefined;
}

/**
 * Reads the tokens and the money that all helper agents of a recorded conversation have used, those of agents
 * included. `events` are those of its log.
 */
export async function readAgents(
  events: readonly EventMsg[],
  threads: RecordedThreads,
  known = new Set<string>(),
): Promise<Amounts> {
  let all = noAmounts();
  for (const id of agentIds(events)) {
    const path = known.has(id) ? undefined : await threads.find(id);
    known.add(id);
    if (path === undefined) continue;
    const { tokens, money } = readThread(path, id, threads.prices);
    const { initialMessages } = await threads.read(path);
    const below = await readAgents(initialMessages, threads, known);
    all = addAmounts(all, addAmounts(below, { ...noAmounts(), tokens, money }));
  }
  return all;
}

/** Threads of the agents that a conversation has started, of both generations. */
function agentIds(events: readonly EventMsg[]): string[] {
  return events.flatMap((msg) => {
    if (msg.type !== "item_completed") return [];
    if (msg.item?.type === "SubAgentActivity") return [msg.item.agent_thread_id];
    return msg.item?.type === "CollabAgentToolCall" ? msg.item.receiver_thread_ids : [];
  });
}

/** Reads what all recorded threads of a home have used on a day; a turn counts from its start. */
export async function readDay(
  home: string,
  now: number,
  prices?: ConfiguredPrices,
): Promise<Amounts> {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  let all = noAmounts();
  for await (const { id, path } of readUsageFiles(home, midnight)) {
    const today = readFileUsage(path, id).filter(({ day }) => day === dayOf(now));
    const { turns, seconds } = readFileTurns(path, new Date(midnight).toISOString());
    all = addAmounts(all, { ...amountsOf(today, prices), turns, seconds });
  }
  return all;
}

function dayOf(now: number): string {
  const time = new Date(now);
  const parts = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}

function amountsOf(records: readonly UsageRecord[], prices?: ConfiguredPrices): Amounts {
  const used = noAmounts();
  for (const record of records) {
    used.tokens += record.input - record.cachedInput + record.output;
    const price = priceOf(record.model, prices);
    if (price !== undefined) used.money += costOf(record, price);
  }
  return used;
}
