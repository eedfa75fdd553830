import { askStream } from "../ask-stream.js";
import type { LoweredClientOptions } from "../lowered/client-options.js";
import { toConversation } from "../lowered/conversation.js";
import { LoweredTools } from "../lowered/lowered-tools.js";
import { clientHeaders, type Headers } from "../request-target.js";
import type { ModelAuth, ModelClient, ModelProvider, Prompt, StreamItem } from "../types.js";
import { toContents } from "./contents.js";
import { GeminiReader } from "./gemini-reader.js";

/** Client of the Gemini API. */
export class GeminiClient implements ModelClient {
  #options: LoweredClientOptions;
  #headers: Headers;

  constructor(options: LoweredClientOptions) {
    this.#options = options;
    this.#headers = clientHeaders({
      ...options,
      behavior: { ...options.behavior, betaApi: false },
    });
  }

  async *stream(prompt: Prompt, signal: AbortSignal): AsyncGenerator<readonly StreamItem[]> {
    signal.throwIfAborted();
    const { provider, behavior, newId } = this.#options;
    const tools = new LoweredTools(prompt.tools);
    const query = {
      url: () => urlOf(prompt.model, provider),
      headers: (auth: ModelAuth | undefined) =>
        auth === undefined ? this.#headers : { ...this.#headers, "x-goog-api-key": auth.token },
      body: toBody(prompt, tools, provider),
      createReader: () => new GeminiReader({ provider, behavior, tools, newId }),
    };
    yield* askStream(this.#options, query, signal);
  }

  close(): void {
    this.#options.transport.close();
  }
}

const geminiBase = "https://generativelanguage.googleapis.com/v1beta";

function urlOf(model: string, { base_url = geminiBase, query_params = {} }: ModelProvider): string {
  const name = model.includes("/") ? model : `models/${model}`;
  const query = Object.entries({ alt: "sse", ...query_params }).map(
    ([key, value]) => `${key}=${value}`,
  );
  return `${base_url.replace(/\/+$/, "")}/${name}:streamGenerateContent?${query.join("&")}`;
}

function toBody(prompt: Prompt, tools: LoweredTools, provider: ModelProvider): Buffer {
  const { system, turns } = toConversation(prompt, provider);
  const functionDeclarations = tools.specs.map(
    ({ function: { name, description, parameters } }) => ({
      name,
      description,
      parametersJsonSchema: parameters,
    }),
  );
  const { reasoning, outputSchema } = prompt;
  const body = {
    ...(system === "" ? undefined : { systemInstruction: { parts: [{ text: system }] } }),
    contents: toContents(turns),
    ...(functionDeclarations.length === 0 ? undefined : { tools: [{ functionDeclarations }] }),
    generationConfig: {
      ...(reasoning === undefined
        ? undefined
        : { thinkingConfig: { includeThoughts: true, ...levelOf(reasoning.effort) } }),
      ...(outputSchema
        ? { responseMimeType: "application/json", responseJsonSchema: outputSchema }
        : undefined),
    },
  };
  return Buffer.from(JSON.stringify(body));
}

/** The API has fewer levels than efforts. */
function levelOf(effort: string | undefined): object {
  if (effort === undefined) return {};
  return { thinkingLevel: levels[effort] ?? "high" };
}

const levels: Partial<Record<string, string>> = {
  none: "minimal",
  minimal: "minimal",
  low: "low",
  medium: "medium",
};
