import type { EraName } from "../../src/compat/index.js";
import type { Clock } from "../../src/lib/clock.js";
import { type Script, scriptedClient } from "../../src/model/scripted/index.js";
import type { ModelFailure, ModelProvider, StreamItem } from "../../src/model/types.js";
import { askAll, behaviorOf } from "../support/model.js";

/** Asks a scripted model once, as of an era; says what came, how long it waited and what was asked. */
export async function ask(script: Script, era: EraName, provider: Partial<ModelProvider> = {}) {
  const clock = fakeClock();
  const options = { behavior: behaviorOf(era), provider, clock, random: () => 0.5 };
  const client = scriptedClient(script, options);
  const items = await askAll(client);
  return { items, waits: clock.waits, requests: client.requests };
}

/** Why a stream failed; nothing when it did not. */
export function failureOf(items: StreamItem[]): ModelFailure | undefined {
  const last = items.at(-1);
  return last?.type === "failed" ? last.failure : undefined;
}

/** A clock on which waiting takes no time but is written down. */
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
