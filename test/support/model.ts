import { type EraName, eraNamed, type ModelBehavior } from "../../src/compat/index.js";
import { systemClock } from "../../src/lib/clock.js";
import { HttpTransport } from "../../src/model/http.js";
import { ResponsesClient, type ResponsesClientOptions } from "../../src/model/responses-client.js";
import {
  listenScriptedModel,
  type Script,
  type ScriptedServer,
  scriptedProvider,
} from "../../src/model/scripted/index.js";
import type { ModelClient, ModelProvider, Prompt, StreamItem } from "../../src/model/types.js";

export * from "../../src/testing/steps.js";

/** Serves a script on a port; dispose it with `await using`. */
export function startModel(script: Script): Promise<ScriptedServer> {
  return listenScriptedModel({ script });
}

/** The behavior of an era. */
export function behaviorOf(era: EraName): ModelBehavior {
  const found = eraNamed(era);
  if (found === undefined) throw new Error(`No era ${era}`);
  return found.model;
}

/** A client over HTTP; dispose it with `using`. */
export function clientOf(
  provider: Partial<ModelProvider>,
  options: Partial<ResponsesClientOptions> = {},
): ModelClient & Disposable {
  const env = options.env ?? {};
  const client = new ResponsesClient({
    provider: { ...scriptedProvider, ...provider },
    behavior: behaviorOf("0.42"),
    transport: new HttpTransport(env),
    originator: "codex_cli_rs",
    userAgent: "test",
    env,
    clock: systemClock,
    random: () => 0.5,
    ...options,
  });
  return {
    stream: (prompt, signal) => client.stream(prompt, signal),
    close: () => client.close(),
    [Symbol.dispose]: () => client.close(),
  };
}

/** A request to a model; tests name only the fields they are about. */
export function promptOf(prompt: Partial<Prompt> = {}): Prompt {
  return {
    model: "mock-model",
    instructions: "Be brief.",
    input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "go" }] }],
    tools: [],
    parallelToolCalls: false,
    conversationId: "conversation-1",
    ...prompt,
  };
}

/** Collects the whole response to one request. */
export async function askAll(
  client: ModelClient,
  prompt: Prompt = promptOf(),
  signal: AbortSignal = new AbortController().signal,
): Promise<StreamItem[]> {
  const items: StreamItem[] = [];
  for await (const batch of client.stream(prompt, signal)) items.push(...batch);
  return items;
}
