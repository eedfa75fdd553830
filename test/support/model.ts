import { type EraName, eraNamed, type ModelBehavior } from "../../src/compat/index.js";
import { systemClock } from "../../src/lib/clock.js";
import { HttpTransport } from "../../src/model/http.js";
import { ResponsesClient, type ResponsesClientOptions } from "../../src/model/responses-client.js";
import {
  listenScriptedModel,
  type Script,
  type ScriptedServer,
  type Step,
  scriptedProvider,
} from "../../src/model/scripted/index.js";
import type { ModelClient, ModelProvider, Prompt, StreamItem } from "../../src/model/types.js";

/** A message of the model, in one delta or in several. */
export function says(message: string, ...deltas: string[]): Step[] {
  return [deltas.length === 0 ? { message } : { message, deltas }];
}

/** A tool call with JSON arguments. */
export function calls(name: string, args: unknown, call_id = "c1"): Step[] {
  return [{ call: name, args, call_id }];
}

/** A custom tool call with plain text. */
export function callsCustom(name: string, input: string, call_id = "c1"): Step[] {
  return [{ custom_call: name, input, call_id }];
}

/** A call of the built-in shell. */
export function callsLocalShell(command: string[], call_id = "c1"): Step[] {
  return [{ local_shell: command, call_id }];
}

/** Reasoning in the given parts. */
export function reasons(...parts: string[]): Step[] {
  return [{ reasoning: parts }];
}

/** A web search. */
export function searches(query: string, id = "ws_1"): Step[] {
  return [{ web_search: query, id }];
}

/** An error response to the request. */
export function fails(
  status: number,
  body: unknown = { error: { message: "mock error", type: "server_error" } },
  headers: Record<string, string> = {},
): Step[] {
  return [{ status, body, headers }];
}

/** A response that fails after it started. */
export function breaks(code: string, message: string): Step[] {
  return [{ failed: { code, message } }];
}

/** Resets the connection after the given steps. */
export function cuts(...steps: Step[][]): Step[] {
  return [...steps.flat(), { cut: true }];
}

/** Ends the stream without completing the response, after the given steps. */
export function ends(...steps: Step[][]): Step[] {
  return [...steps.flat(), { end: true }];
}

/** Stalls after the given steps. */
export function hangs(...steps: Step[][]): Step[] {
  return [...steps.flat(), { hang: true }];
}

/** Pauses. */
export function waits(ms: number): Step[] {
  return [{ pause_ms: ms }];
}

/** Combines steps into one response. */
export function both(...steps: Step[][]): Step[] {
  return steps.flat();
}

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
