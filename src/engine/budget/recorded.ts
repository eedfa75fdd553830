import { type ConfiguredPrices, costOf, priceOf } from "../../model/index.js";
import {
  readFileTurns,
  readFileUsage,
  readUsageFiles,
  type UsageRecord,
} from "../../rollout/index.js";
import { type Amounts, addAmounts, noAmounts } from "./amounts.js";

/** Reads what a thread has used so far from its rollout. The running turn has been recorded as started. */
export function readThread(path: string, id: string, prices?: ConfiguredPrices): Amounts {
  const { turns, seconds } = readFileTurns(path);
  const used = amountsOf(readFileUsage(path, id), prices);
  return { ...used, turns: Math.max(0, turns - 1), seconds };
}

/** Reads what all recorded threads of a home have used on a day, except for the running turn. */
export async function readDay(
  home: string,
  now: number,
  prices?: ConfiguredPrices,
): Promise<Amounts> {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  let all = { ...noAmounts(), turns: -1 };
  for await (const { id, path } of readUsageFiles(home, midnight)) {
    const today = readFileUsage(path, id).filter(({ day }) => day === dayOf(now));
    const { turns, seconds } = readFileTurns(path, new Date(midnight).toISOString());
    all = addAmounts(all, { ...amountsOf(today, prices), turns, seconds });
  }
  return { ...all, turns: Math.max(0, all.turns) };
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
