import type { ModelBehavior } from "../../src/compat/index.js";
import type { Clock } from "../../src/lib/clock.js";
import { type Script, scriptedClient } from "../../src/model/scripted/index.js";
import type {
  ModelAuthSource,
  ModelFailure,
  ModelProvider,
  StreamItem,
} from "../../src/model/types.js";

/** Outcome of one model request. */
export interface ModelOutcome {
  items: StreamItem[];
  failure: ModelFailure | undefined;
  requests: number;
  delays: number[];
  /** Number of times a refused login was refreshed. */
  refreshes: number;
}

/** Asks a scripted model once; waiting takes no time, but is written down. */
export async function askModel(
  script: Script,
  behavior: ModelBehavior,
  provider: Partial<ModelProvider> = {},
  { login = false }: { login?: boolean } = {},
): Promise<ModelOutcome> {
  const delays: number[] = [];
  let refreshes = 0;
  const auth: ModelAuthSource = {
    current: async () => ({ kind: "chatgpt", token: `token-${refreshes}` }),
    async refresh() {
      refreshes++;
      return true;
    },
  };
  const clock: Clock = {
    now: () => Date.now(),
    sleep: async (ms) => void delays.push(ms),
  };
  const client = scriptedClient(script, {
    behavior,
    provider: { ...(login && { requires_openai_auth: true }), ...provider },
    clock,
    ...(login && { auth }),
  });
  const items: StreamItem[] = [];
  for await (const batch of client.stream(question, new AbortController().signal)) {
    items.push(...batch);
  }
  const last = items.at(-1);
  const failure = last?.type === "failed" ? last.failure : undefined;
  return { items, failure, requests: client.requests.length, delays, refreshes };
}

const question = {
  model: "mock-model",
  instructions: "",
  input: [],
  tools: [],
  parallelToolCalls: false,
  conversationId: "conversation",
};
