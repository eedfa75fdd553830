import { askStream } from "../ask-stream.js";
import type { LoweredClientOptions } from "../lowered/client-options.js";
import { LoweredTools } from "../lowered/lowered-tools.js";
import { clientHeaders, type Headers, queryOf } from "../request-target.js";
import type { ModelClient, ModelProvider, Prompt, StreamItem } from "../types.js";
import { ChatReader } from "./chat-reader.js";
import { type MessageOptions, type ReasoningField, toMessages } from "./messages.js";

/**
 * Client of the Chat Completions API.
 *
 * Converts conversation and tools to its format, and responses to that of the Responses API: the
 * engine does not see the difference.
 */
export class ChatClient implements ModelClient {
  #options: LoweredClientOptions;
  #headers: Headers;
  /** The field in which this server sends reasoning; detected from its responses. */
  #reasoningField: ReasoningField = "reasoning";

  constructor(options: LoweredClientOptions) {
    this.#options = options;
    const behavior = { ...options.behavior, betaApi: false }; // that is about the other API
    this.#headers = clientHeaders({ ...options, behavior });
  }

  async *stream(prompt: Prompt, signal: AbortSignal): AsyncGenerator<readonly StreamItem[]> {
    signal.throwIfAborted();
    const { provider, behavior, newId } = this.#options;
    const tools = new LoweredTools(prompt.tools);
    const query = {
      url: () => chatUrl(provider),
      headers: (auth: { token: string } | undefined) =>
        auth === undefined
          ? this.#headers
          : { ...this.#headers, authorization: `Bearer ${auth.token}` },
      body: toChatBody(prompt, tools, { provider, reasoningField: this.#reasoningField }),
      createReader: () =>
        new ChatReader({
          provider,
          behavior,
          tools,
          newId,
          onReasoningField: (field) => {
            this.#reasoningField = field;
          },
        }),
    };
    yield* askStream(this.#options, query, signal);
  }

  close(): void {
    this.#options.transport.close();
  }
}

/** Returns the JSON body of a request; settings that the user did not make are left to the server. */
function toChatBody(prompt: Prompt, tools: LoweredTools, options: MessageOptions): Buffer {
  const { model, reasoning, verbosity, outputSchema } = prompt;
  const body = {
    model,
    messages: toMessages(prompt, options),
    stream: true,
    stream_options: { include_usage: true },
    // Some servers reject an empty list.
    ...(tools.specs.length > 0 ? { tools: tools.specs, tool_choice: "auto" } : undefined),
    ...(reasoning?.effort === undefined ? undefined : { reasoning_effort: reasoning.effort }),
    ...(verbosity === undefined ? undefined : { verbosity }),
    ...(outputSchema ? { response_format: toResponseFormat(outputSchema) } : undefined),
  };
  return Buffer.from(JSON.stringify(body));
}

function toResponseFormat(schema: unknown): object {
  const json_schema = { name: "codex_output_schema", strict: true, schema };
  return { type: "json_schema", json_schema };
}

const openaiBase = "https://api.openai.com/v1";

function chatUrl(provider: ModelProvider): string {
  const base = (provider.base_url ?? openaiBase).replace(/\/+$/, "");
  return `${base}/chat/completions${queryOf(provider)}`;
}
