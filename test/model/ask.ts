import type { EraName } from "../../src/compat/index.js";
import type { Clock } from "../../src/lib/clock.js";
import { type Script, scriptedClient } from "../../src/model/scripted/index.js";
import type { ModelFailure, ModelProvider, StreamItem } from "../../src/model/types.js";
import { askAll, behaviorOf } from "../support/model.js";

/** Sends one request to a scripted model of an era; returns the items, the delays and the requests. */
export async function ask(script: Script, era: EraName, provider: Partial<ModelProvider> = {}) {
  const clock = fakeClock();
  const options = { behavior: behaviorOf(era), provider, clock, random: () => 0.5 };
  const client = scriptedClient(script, options);
  const items = await askAll(client);
  return { items, waits: clock.waits, requests: client.requests };
}

/** Returns the failure of a stream, if it failed. */
export function failureOf(items: StreamItem[]): ModelFailure | undefined {
  const last = items.at(-1);
  return last?.type === "failed" ? last.failure : undefined;
}

/** A clock whose sleeps take no time and are recorded. */
function fakeClock(): Clock & { waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    now: () => 1_700_000_000_000,
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      waits.push(ms);
    },
  };
}
