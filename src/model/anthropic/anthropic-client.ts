import { askStream } from "../ask-stream.js";
import type { LoweredClientOptions } from "../lowered/client-options.js";
import { toConversation } from "../lowered/conversation.js";
import { LoweredTools } from "../lowered/lowered-tools.js";
import { clientHeaders, type Headers, queryOf } from "../request-target.js";
import type { ModelAuth, ModelClient, ModelProvider, Prompt, StreamItem } from "../types.js";
import { AnthropicReader } from "./anthropic-reader.js";
import { toAnthropicMessages } from "./messages.js";

/** Client of Anthropic's Messages API. */
export class AnthropicClient implements ModelClient {
  #options: LoweredClientOptions;
  #headers: Headers;

  constructor(options: LoweredClientOptions) {
    this.#options = options;
    const behavior = { ...options.behavior, betaApi: false };
    this.#headers = {
      "anthropic-version": "2023-06-01",
      ...clientHeaders({ ...options, behavior }),
    };
  }

  async *stream(prompt: Prompt, signal: AbortSignal): AsyncGenerator<readonly StreamItem[]> {
    signal.throwIfAborted();
    const { provider, behavior, newId } = this.#options;
    const tools = new LoweredTools(prompt.tools);
    const base = (provider.base_url ?? anthropicBase).replace(/\/+$/, "");
    const query = {
      url: () => `${base}/messages${queryOf(provider)}`,
      headers: (auth: ModelAuth | undefined) =>
        auth === undefined ? this.#headers : { ...this.#headers, "x-api-key": auth.token },
      body: toBody(prompt, tools, provider),
      createReader: () => new AnthropicReader({ provider, behavior, tools, newId }),
    };
    yield* askStream(this.#options, query, signal);
  }

  close(): void {
    this.#options.transport.close();
  }
}

const anthropicBase = "https://api.anthropic.com/v1";

/** The API requires a limit; this one suits all current models. */
const mostTokens = 32_000;

function toBody(prompt: Prompt, tools: LoweredTools, provider: ModelProvider): Buffer {
  const { system, turns } = toConversation(prompt, provider);
  const specs = tools.specs.map(({ function: { name, description, parameters } }) => ({
    name,
    description,
    input_schema: parameters,
  }));
  const thinking = budgetOf(prompt);
  const body = {
    model: prompt.model,
    max_tokens: mostTokens,
    stream: true,
    ...(system === "" ? undefined : { system: [{ type: "text", text: system, ...cached }] }),
    messages: withCache(toAnthropicMessages(turns)),
    ...(specs.length === 0 ? undefined : { tools: specs, tool_choice: toolChoice(prompt) }),
    ...(thinking === undefined
      ? undefined
      : { thinking: { type: "enabled", budget_tokens: thinking } }),
    ...(prompt.outputSchema
      ? { output_config: { format: { type: "json_schema", schema: prompt.outputSchema } } }
      : undefined),
  };
  return Buffer.from(JSON.stringify(body));
}

function toolChoice({ parallelToolCalls }: Prompt): object {
  return { type: "auto", ...(parallelToolCalls ? undefined : { disable_parallel_tool_use: true }) };
}

const cached = { cache_control: { type: "ephemeral" } };

/** Marks the end of the conversation, so that the next request reuses what the server has read up to there. */
function withCache<Message extends { content: object[] }>(messages: Message[]): Message[] {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  if (block !== undefined) Object.assign(block, cached);
  return messages;
}

/** Tokens for thinking by effort; `undefined` does not ask for it. */
function budgetOf({ reasoning }: Prompt): number | undefined {
  const effort = reasoning?.effort;
  return effort === undefined ? undefined : budgets[effort];
}

const budgets: Partial<Record<string, number>> = {
  minimal: 1024,
  low: 4096,
  medium: 10_000,
  high: 20_000,
  xhigh: 28_000,
};
