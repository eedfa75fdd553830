import { askStream } from "../ask-stream.js";
import { clientHeaders, type Headers } from "../headers.js";
import type { ResponsesClientOptions } from "../responses-client.js";
import type { ModelClient, Prompt, StreamItem } from "../types.js";
import { toChatBody } from "./chat-body.js";
import { ChatReader } from "./chat-reader.js";
import { chatUrl } from "./chat-url.js";
import { LoweredTools } from "./lowered-tools.js";
import type { ReasoningField } from "./messages.js";

/** What a client of the Chat Completions API is made of. */
export interface ChatClientOptions extends ResponsesClientOptions {
  /** Names what the model left without a name. */
  newId: () => string;
}

/**
 * Asks models that speak the Chat Completions API.
 *
 * The conversation and the tools are told in its words, and what comes back is told as if it came
 * from the Responses API: the engine does not see the difference.
 */
export class ChatClient implements ModelClient {
  #options: ChatClientOptions;
  #headers: Headers;
  /** The name under which this server speaks of reasoning, once it has. */
  #reasoningField: ReasoningField = "reasoning";

  constructor(options: ChatClientOptions) {
    this.#options = options;
    const dialect = { ...options.dialect, betaHeader: false }; // that is about the other API
    this.#headers = clientHeaders({ ...options, dialect });
  }

  async *stream(prompt: Prompt, signal: AbortSignal): AsyncGenerator<readonly StreamItem[]> {
    signal.throwIfAborted();
    const { provider, dialect, newId } = this.#options;
    const tools = new LoweredTools(prompt.tools);
    const question = {
      url: () => chatUrl(provider),
      headers: (auth: { token: string } | undefined) =>
        auth === undefined
          ? this.#headers
          : { ...this.#headers, authorization: `Bearer ${auth.token}` },
      body: toChatBody(prompt, tools, this.#reasoningField),
      createReader: () =>
        new ChatReader({
          dialect,
          tools,
          newId,
          onReasoningField: (field) => {
            this.#reasoningField = field;
          },
        }),
    };
    yield* askStream(this.#options, question, signal);
  }

  close(): void {
    this.#options.transport.close();
  }
}
