import { askStream } from "../ask-stream.js";
import { clientHeaders, type Headers } from "../request-target.js";
import type { ResponsesClientOptions } from "../responses-client.js";
import type { ModelClient, ModelProvider, Prompt, StreamItem } from "../types.js";
import { ChatReader } from "./chat-reader.js";
import { LoweredTools } from "./lowered-tools.js";
import { type ReasoningField, toMessages } from "./messages.js";

/** Options of a Chat Completions client. */
export interface ChatClientOptions extends ResponsesClientOptions {
  /** Creates ids for calls that the model sent without one. */
  newId: () => string;
}

/**
 * Client of the Chat Completions API.
 *
 * Converts conversation and tools to its format, and responses to that of the Responses API: the
 * engine does not see the difference.
 */
export class ChatClient implements ModelClient {
  #options: ChatClientOptions;
  #headers: Headers;
  /** The field in which this server sends reasoning; detected from its responses. */
  #reasoningField: ReasoningField = "reasoning";

  constructor(options: ChatClientOptions) {
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
      body: toChatBody(prompt, tools, this.#reasoningField),
      createReader: () =>
        new ChatReader({
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
function toChatBody(prompt: Prompt, tools: LoweredTools, reasoningField: ReasoningField): Buffer {
  const { model, reasoning, verbosity, outputSchema } = prompt;
  const body = {
    model,
    messages: toMessages(prompt, reasoningField),
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

/** Returns the URL of a request. Query parameters are not escaped: users paste them escaped already. */
function chatUrl({ base_url = openaiBase, query_params = {} }: ModelProvider): string {
  const pairs = Object.entries(query_params).map(([key, value]) => `${key}=${value}`);
  const query = pairs.length === 0 ? "" : `?${pairs.join("&")}`;
  return `${base_url.replace(/\/+$/, "")}/chat/completions${query}`;
}
