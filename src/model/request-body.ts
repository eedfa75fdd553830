import type { ResponseItem, ToolSpec } from "../protocol/types.js";
import { JsonPieces } from "./json-pieces.js";
import { isAzure } from "./request-url.js";
import { toSentItem } from "./sent-item.js";
import type { ModelProvider, Prompt } from "./types.js";

/**
 * Writes the bodies of the requests to one provider.
 *
 * What stays the same from one request of a conversation to the next (items, tools, instructions)
 * is turned into JSON once.
 */
export class RequestBodies {
  #items: JsonPieces<ResponseItem>;
  #tools = new JsonPieces<ToolSpec>((tool) => tool);
  #stores: boolean;
  #instructions = { text: "", json: Buffer.from(',"instructions":""') };

  constructor(provider: ModelProvider, { sendsIds = false }: { sendsIds?: boolean } = {}) {
    const azure = isAzure(provider);
    const own = azure ? "own" : "none";
    const ids = sendsIds ? "all" : own;
    this.#items = new JsonPieces((item) => toSentItem(item, ids));
    this.#stores = azure || provider.store;
  }

  /** The body as JSON, its keys in the order in which the reference writes them. */
  write(prompt: Prompt): Buffer {
    const pieces: Uint8Array[] = [
      Buffer.from(`{"model":${JSON.stringify(prompt.model)}`),
      ...this.#instructionsJson(prompt.instructions),
      Buffer.from(',"input":['),
    ];
    this.#items.appendTo(pieces, prompt.input);
    pieces.push(Buffer.from('],"tools":['));
    this.#tools.appendTo(pieces, prompt.tools);
    pieces.push(Buffer.from(this.#rest(prompt)));
    return Buffer.concat(pieces);
  }

  /** What follows the tools. */
  #rest(prompt: Prompt): string {
    const { reasoning, previousResponseId } = prompt;
    const text = toTextControls(prompt);
    const include = reasoning === undefined ? "[]" : '["reasoning.encrypted_content"]';
    let json = `],"tool_choice":"auto","parallel_tool_calls":${prompt.parallelToolCalls}`;
    json += `,"reasoning":${JSON.stringify(toReasoning(prompt))}`;
    json += `,"store":${this.#stores},"stream":true,"include":${include}`;
    json += `,"prompt_cache_key":${JSON.stringify(prompt.conversationId)}`;
    if (text !== undefined) json += `,"text":${JSON.stringify(text)}`;
    if (prompt.metadata !== undefined) {
      json += `,"client_metadata":${JSON.stringify(prompt.metadata)}`;
    }
    if (previousResponseId !== undefined) {
      json += `,"previous_response_id":${JSON.stringify(previousResponseId)}`;
    }
    return `${json}}`;
  }

  #instructionsJson(text: string | undefined): Uint8Array[] {
    if (text === undefined) return [];
    if (this.#instructions.text !== text) {
      const json = Buffer.from(`,"instructions":${JSON.stringify(text)}`);
      this.#instructions = { text, json };
    }
    return [this.#instructions.json];
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
