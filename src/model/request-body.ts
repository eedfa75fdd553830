import type { ToolSpec } from "../protocol/types.js";
import { ItemJson } from "./item-json.js";
import { isAzure } from "./request-url.js";
import type { ModelProvider, Prompt } from "./types.js";

/**
 * Writes the bodies of the requests to one provider.
 *
 * What stays the same from one request of a conversation to the next (items, tools, instructions)
 * is turned into JSON once.
 */
export class RequestBodies {
  #items: ItemJson;
  #stores: boolean;
  #tools = new WeakMap<readonly ToolSpec[], string>();
  #instructions = { text: "", json: '""' };

  constructor(provider: ModelProvider) {
    const azure = isAzure(provider);
    this.#items = new ItemJson(azure);
    this.#stores = azure || provider.store;
  }

  /** The body as JSON text, its keys in the order in which the reference writes them. */
  toJson(prompt: Prompt): string {
    const { reasoning, previousResponseId } = prompt;
    const text = toTextControls(prompt);
    const include = reasoning === undefined ? "[]" : '["reasoning.encrypted_content"]';
    let json = `{"model":${JSON.stringify(prompt.model)}`;
    json += `,"instructions":${this.#instructionsJson(prompt.instructions)}`;
    json += `,"input":${this.#items.list(prompt.input)}`;
    json += `,"tools":${this.#toolsJson(prompt.tools)}`;
    json += `,"tool_choice":"auto","parallel_tool_calls":${prompt.parallelToolCalls}`;
    json += `,"reasoning":${JSON.stringify(toReasoning(prompt))}`;
    json += `,"store":${this.#stores},"stream":true,"include":${include}`;
    json += `,"prompt_cache_key":${JSON.stringify(prompt.conversationId)}`;
    if (text !== undefined) json += `,"text":${JSON.stringify(text)}`;
    if (previousResponseId !== undefined) {
      json += `,"previous_response_id":${JSON.stringify(previousResponseId)}`;
    }
    return `${json}}`;
  }

  #instructionsJson(text: string): string {
    if (this.#instructions.text !== text) {
      this.#instructions = { text, json: JSON.stringify(text) };
    }
    return this.#instructions.json;
  }

  #toolsJson(tools: readonly ToolSpec[]): string {
    let json = this.#tools.get(tools);
    if (json === undefined) {
      json = JSON.stringify(tools);
      this.#tools.set(tools, json);
    }
    return json;
  }
}

function toReasoning({ reasoning }: Prompt): object | null {
  if (reasoning === undefined) return null;
  const { effort, summary } = reasoning;
  return {
    ...(effort === undefined ? undefined : { effort }),
    ...(summary === "none" ? undefined : { summary }),
  };
}

function toTextControls({ verbosity, outputSchema }: Prompt): object | undefined {
  const format = outputSchema ? toTextFormat(outputSchema) : undefined;
  if (verbosity === undefined && format === undefined) return undefined;
  return {
    ...(verbosity === undefined ? undefined : { verbosity }),
    ...(format === undefined ? undefined : { format }),
  };
}

function toTextFormat(schema: unknown): object {
  return { type: "json_schema", strict: true, schema, name: "codex_output_schema" };
}
