import { isRecord, type JsonRecord } from "../../protocol/read/check.js";
import { toolOutputText } from "../../protocol/tool-output-text.js";
import type {
  ContentItem,
  FunctionCallOutput,
  InterAgentContent,
  ReasoningItem,
  ResponseItem,
} from "../../protocol/types.js";
import { loweredArguments, wholeName } from "../lowered/lowered-tools.js";
import { unpackState } from "../lowered/provider-state.js";
import type { ModelProvider, Prompt } from "../types.js";

/** The two field names that servers use for reasoning. */
export type ReasoningField = "reasoning" | "reasoning_content";

/** A message of the Chat Completions API. */
export type ChatMessage =
  | { role: "system" | "user"; content: string | ChatPart[] }
  | AssistantMessage
  | { role: "tool"; tool_call_id: string; content: string };

/** Text and calls of one model response. */
export interface AssistantMessage {
  role: "assistant";
  content: string | null;
  tool_calls?: ChatToolCall[];
  reasoning?: string;
  reasoning_content?: string;
  reasoning_details?: unknown;
}

/** A part of a message with images. */
export type ChatPart =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string; detail?: string } };

interface ChatToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
  extra_content?: unknown;
}

/**
 * Converts a conversation to messages, starting with the instructions.
 *
 * Every call is followed directly by its output, as this API requires, in any order of the
 * conversation. Reasoning is sent back only within its turn.
 */
export function toMessages(
  { instructions, input }: Pick<Prompt, "instructions" | "input">,
  { reasoningField, provider }: MessageOptions,
): ChatMessage[] {
  const messages = new MessageList(input, reasoningField);
  const rest = messages.addSystem(instructions ?? "", input);
  const lastUser = rest.findLastIndex((item) => item.type === "message" && item.role === "user");
  for (const [index, item] of rest.entries()) {
    if (item.type !== "reasoning") messages.add(item);
    else messages.addReasoning(item, unpackState(provider, item), index > lastUser);
  }
  return messages.close();
}

/** The server that gets the messages. */
export interface MessageOptions {
  reasoningField: ReasoningField;
  provider: Pick<ModelProvider, "wire_api" | "base_url">;
}

/** Servers of this API encrypt nothing, so the text is as the model wrote it. */
function agentText(part: InterAgentContent): string {
  return part.type === "input_text" ? part.text : part.encrypted_content;
}

class MessageList {
  #messages: ChatMessage[] = [];
  #outputs = new Map<string, FunctionCallOutput>();
  #reasoningField: ReasoningField;
  /** The current model message; calls are added to it until another message follows. */
  #open: AssistantMessage | undefined;
  #reasoning = "";
  #details: unknown;
  #extras: JsonRecord = {};

  constructor(input: readonly ResponseItem[], reasoningField: ReasoningField) {
    this.#reasoningField = reasoningField;
    for (const item of input) {
      if (item.type === "function_call_output" || item.type === "custom_tool_call_output") {
        if (item.call_id !== undefined) this.#outputs.set(item.call_id, item.output);
      }
    }
  }

  /** Many servers support only one system message, so leading developer messages are merged into it. */
  addSystem(instructions: string, input: readonly ResponseItem[]): readonly ResponseItem[] {
    const count = input.findIndex((item) => item.type !== "message" || item.role !== "developer");
    const first = count < 0 ? input : input.slice(0, count);
    const texts = first.map((item) => (item.type === "message" ? asString(item.content) : ""));
    const content = [instructions, ...texts].filter((text) => text !== "").join("\n\n");
    this.#messages.push({ role: "system", content });
    return input.slice(first.length);
  }

  add(item: ResponseItem): void {
    switch (item.type) {
      case "message":
        if (item.role === "assistant") this.#addText(asString(item.content));
        else if (item.role !== "system") this.#addUser(toContent(item.content));
        return;
      case "agent_message":
        this.#addUser(item.content.map(agentText).join(""));
        return;
      case "function_call":
        this.#addCall(item.call_id, {
          name: wholeName(item.name, item.namespace),
          arguments: item.arguments,
        });
        return;
      case "custom_tool_call":
        this.#addCall(item.call_id, loweredArguments(item));
        return;
      case "local_shell_call":
        this.#addCall(item.call_id ?? item.id ?? "", loweredArguments(item));
        return;
      case "function_call_output": {
        const text = toolOutputText(item);
        if (text === undefined) this.#closeOpen();
        else this.#addUser(text);
        return;
      }
      case "custom_tool_call_output":
        this.#closeOpen();
        return;
      default:
        return;
    }
  }

  addReasoning(item: ReasoningItem, state: JsonRecord | undefined, isOfTurn: boolean): void {
    if (isRecord(state?.calls)) Object.assign(this.#extras, state.calls);
    if (!isOfTurn) return;
    this.#details = state?.reasoning_details ?? this.#details;
    const text = (item.content ?? []).map((part) => part.text).join("");
    if (text.trim() !== "") this.#reasoning += text;
  }

  close(): ChatMessage[] {
    this.#closeOpen();
    return this.#messages;
  }

  #addUser(content: string | ChatPart[]): void {
    this.#closeOpen();
    this.#messages.push({ role: "user", content });
  }

  #addText(content: string): void {
    const open = this.#open;
    // A message that was recorded twice, while streaming and when complete, is one message.
    if (open !== undefined && open.tool_calls === undefined && open.content === content) return;
    this.#closeOpen();
    this.#open = { role: "assistant", content };
  }

  #addCall(id: string, call: ChatToolCall["function"]): void {
    this.#open ??= { role: "assistant", content: null };
    this.#open.tool_calls ??= [];
    const extra = this.#extras[id];
    this.#open.tool_calls.push({
      id,
      type: "function",
      function: call,
      ...(extra === undefined ? undefined : { extra_content: extra }),
    });
  }

  #closeOpen(): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    if (this.#details !== undefined) open.reasoning_details = this.#details;
    else if (this.#reasoning !== "") open[this.#reasoningField] = this.#reasoning;
    this.#reasoning = "";
    this.#details = undefined;
    this.#messages.push(open);
    this.#addOutputs(open.tool_calls ?? []);
  }

  /** Tool outputs are text in this API; images follow in a user message. */
  #addOutputs(calls: readonly ChatToolCall[]): void {
    const pictures: ChatPart[] = [];
    for (const { id } of calls) {
      const output = this.#outputs.get(id) ?? "aborted";
      const parts = typeof output === "string" ? [] : output;
      const content = typeof output === "string" ? output : asString(output);
      this.#messages.push({ role: "tool", tool_call_id: id, content });
      pictures.push(...toParts(parts.filter((part) => part.type === "input_image")));
    }
    if (pictures.length === 0) return;
    const lead: ChatPart = { type: "text", text: "Pictures in the output of the tools above:" };
    this.#messages.push({ role: "user", content: [lead, ...pictures] });
  }
}

function toContent(content: readonly ContentItem[]): string | ChatPart[] {
  return content.some((part) => part.type === "input_image") ? toParts(content) : asString(content);
}

function toParts(content: readonly ContentItem[]): ChatPart[] {
  return content.map((part) => {
    if (part.type !== "input_image") return { type: "text", text: part.text };
    const { image_url: url, detail } = part;
    return { type: "image_url", image_url: { url, ...(detail ? { detail } : undefined) } };
  });
}

function asString(content: readonly ContentItem[]): string {
  return content.map((part) => (part.type === "input_image" ? "" : part.text)).join("");
}
