import type { JsonRecord } from "../../protocol/read/check.js";
import { toolOutputText } from "../../protocol/tool-output-text.js";
import type { ContentItem, FunctionCallOutput, ResponseItem } from "../../protocol/types.js";
import type { ModelProvider, Prompt } from "../types.js";
import { loweredArguments, wholeName } from "./lowered-tools.js";
import { unpackState } from "./provider-state.js";

/** A conversation as alternating turns of the user and the model. */
export interface Conversation {
  system: string;
  turns: ConversationTurn[];
}

/** Everything that one side contributes before the other one does. */
export type ConversationTurn =
  | { role: "user"; parts: UserPart[] }
  | { role: "model"; parts: ModelPart[] };

/** Input of the model. */
export type UserPart =
  | { type: "text"; text: string }
  | { type: "image"; url: string }
  | { type: "result"; id: string; name: string; output: FunctionCallOutput };

/** Output of the model. */
export type ModelPart =
  | { type: "text"; text: string }
  | { type: "call"; id: string; name: string; arguments: string }
  | { type: "reasoning"; text: string; state: JsonRecord; isOfTurn: boolean };

/**
 * Converts the input of a request.
 *
 * Every call is followed directly by its output, in any order of the conversation. Reasoning is omitted unless
 * the provider itself made it.
 */
export function toConversation(
  { instructions = "", input }: Pick<Prompt, "instructions" | "input">,
  provider: ModelProvider,
): Conversation {
  const system = [instructions];
  const list = new TurnList(input);
  const lastUser = input.findLastIndex((item) => item.type === "message" && item.role === "user");
  for (const [index, item] of input.entries()) {
    if (item.type === "reasoning") {
      const state = unpackState(provider, item);
      const text = (item.content ?? []).map((part) => part.text).join("");
      if (state === undefined) continue;
      list.addOutput({ type: "reasoning", text, state, isOfTurn: index > lastUser });
    } else if (item.type === "message" && item.role === "developer" && list.isEmpty) {
      system.push(textOf(item.content));
    } else list.add(item);
  }
  return { system: system.filter((text) => text !== "").join("\n\n"), turns: list.close() };
}

class TurnList {
  #turns: ConversationTurn[] = [];
  #outputs = new Map<string, FunctionCallOutput>();
  /** Calls of the current model turn, whose outputs follow it. */
  #calls: { id: string; name: string }[] = [];

  constructor(input: readonly ResponseItem[]) {
    for (const item of input) {
      if (item.type !== "function_call_output" && item.type !== "custom_tool_call_output") continue;
      if (item.call_id !== undefined) this.#outputs.set(item.call_id, item.output);
    }
  }

  get isEmpty(): boolean {
    return this.#turns.length === 0;
  }

  add(item: ResponseItem): void {
    switch (item.type) {
      case "message":
        if (item.role === "assistant") this.#addText(textOf(item.content));
        else if (item.role !== "system") this.#addInput(...toInput(item.content));
        return;
      case "agent_message":
        this.#addInput({ type: "text", text: item.content.map(agentText).join("") });
        return;
      case "function_call":
        this.#addCall(item.call_id, wholeName(item.name, item.namespace), item.arguments);
        return;
      case "custom_tool_call":
      case "local_shell_call": {
        const { name, arguments: args } = loweredArguments(item);
        const id =
          item.type === "custom_tool_call" ? item.call_id : (item.call_id ?? item.id ?? "");
        this.#addCall(id, name, args);
        return;
      }
      case "function_call_output": {
        const text = toolOutputText(item);
        if (text !== undefined) this.#addInput({ type: "text", text });
        return;
      }
      default:
        return;
    }
  }

  addOutput(part: ModelPart): void {
    // Output after the calls of a turn belongs to the next answer.
    if (part.type !== "call") this.#addResults();
    const last = this.#turns.at(-1);
    if (last?.role === "model") last.parts.push(part);
    else this.#turns.push({ role: "model", parts: [part] });
  }

  close(): ConversationTurn[] {
    this.#addResults();
    return this.#turns;
  }

  #addText(text: string): void {
    const last = this.#turns.at(-1)?.parts.at(-1);
    // A message that was recorded twice, while streaming and when complete, is one message.
    if (text === "" || (last?.type === "text" && last.text === text)) return;
    this.addOutput({ type: "text", text });
  }

  #addCall(id: string, name: string, args: string): void {
    this.addOutput({ type: "call", id, name, arguments: args });
    this.#calls.push({ id, name });
  }

  #addInput(...parts: UserPart[]): void {
    this.#addResults();
    this.#put(parts);
  }

  #addResults(): void {
    const calls = this.#calls;
    this.#calls = [];
    this.#put(
      calls.map(({ id, name }) => {
        const output = this.#outputs.get(id) ?? "aborted";
        return { type: "result", id, name, output };
      }),
    );
  }

  #put(parts: readonly UserPart[]): void {
    if (parts.length === 0) return;
    const last = this.#turns.at(-1);
    if (last?.role === "user") last.parts.push(...parts);
    else this.#turns.push({ role: "user", parts: [...parts] });
  }
}

type AgentContent = Extract<ResponseItem, { type: "agent_message" }>["content"][number];

/** Servers of these APIs encrypt nothing, so the text is as the model wrote it. */
function agentText(part: AgentContent): string {
  return part.type === "input_text" ? part.text : part.encrypted_content;
}

/** Returns the parts of a message; a blank text, which servers refuse, is omitted. */
export function toInput(content: readonly ContentItem[]): UserPart[] {
  return content.flatMap((part): UserPart[] => {
    if (part.type === "input_image") return [{ type: "image", url: part.image_url }];
    return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
  });
}

function textOf(content: readonly ContentItem[]): string {
  return content.map((part) => (part.type === "input_image" ? "" : part.text)).join("");
}

/** Parts of an image in a `data:` URL; `undefined` for another URL. */
export function readDataUrl(url: string): { mediaType: string; data: string } | undefined {
  const found = /^data:([^;,]+);base64,(.*)$/s.exec(url);
  return found === null ? undefined : { mediaType: found[1] ?? "", data: found[2] ?? "" };
}
