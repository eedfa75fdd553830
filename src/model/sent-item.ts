import { randomUuid } from "../lib/ids.js";
import type { JsonRecord } from "../protocol/read/check.js";
import { toolOutputText } from "../protocol/tool-output-text.js";
import type { ReasoningItem, ResponseItem } from "../protocol/types.js";
import { hasState } from "./lowered/provider-state.js";
import type { Prompt } from "./types.js";

/** Ids to send with items: none, those that the model assigned, or one for each. */
export type SentIds = "none" | "own" | "all";

/**
 * Converts an item to the format for requests, its fields in the order of the model's servers.
 *
 * Returns `undefined` for items that are never sent: system messages, snapshots and unknown kinds.
 * Ids are sent only to servers that store responses, and to those that require complete items.
 */
export function toSentItem(item: ResponseItem, ids: SentIds): object | undefined {
  const fields = Object.hasOwn(sentFields, item.type) ? sentFields[item.type] : undefined;
  if (fields === undefined || ("role" in item && item.role === "system")) return undefined;
  if (item.type === "function_call_output" && item.call_id === undefined && ids !== "all") {
    const text = toolOutputText(item);
    if (text !== undefined) return userMessage(text);
  }
  if (item.type === "reasoning" && hasState(item)) return withoutState(item, ids);
  const values = item as JsonRecord;
  const sent: JsonRecord = { type: item.type };
  // An empty id marks an item that is sent once and not stored.
  if (values.id !== "" && ids !== "none") {
    if (typeof values.id === "string") {
      // The vendor's servers refuse ids of other forms, which other servers assign.
      if (ids === "own" || prefixedId.test(values.id)) sent.id = values.id;
    } else if (ids === "all") sent.id = newItemId(item);
  }
  for (const { name, always } of fields) {
    const value = values[name] ?? undefined;
    if (value !== undefined) sent[name] = value;
    else if (always) sent[name] = null;
  }
  if (item.type === "reasoning" && !isSentBack(item)) delete sent.content;
  if (ids === "all") addWhatModelsAdd(item, sent);
  return sent;
}

/** Servers of this API cannot decrypt what one of another API wanted back. */
function withoutState(item: ReasoningItem, ids: SentIds): object | undefined {
  if (!item.content?.length && item.summary.length === 0) return undefined;
  return toSentItem({ ...item, encrypted_content: null }, ids);
}

function userMessage(text: string): object {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}

/** Items are serialized once, so the id stays the same. */
function newItemId({ type }: ResponseItem): string {
  return `${idPrefixes[type] ?? "item"}_${randomUuid()}`;
}

const prefixedId = /^[^_]+_./s;

const idPrefixes: Record<string, string> = {
  message: "msg",
  reasoning: "rs",
  function_call: "fc",
  custom_tool_call: "ctc",
  local_shell_call: "lsh",
  web_search_call: "ws",
  image_generation_call: "ig",
  compaction: "cmp",
  function_call_output: "fco",
  custom_tool_call_output: "ctco",
  tool_search_call: "tsc",
  tool_search_output: "tso",
  agent_message: "amsg",
};

/** Adds fields that every complete item has and that are therefore not stored. */
function addWhatModelsAdd(item: ResponseItem, sent: JsonRecord): void {
  if (item.type === "function_call") sent.status = "completed";
  if (item.type !== "message" || item.role !== "assistant") return;
  sent.status = "completed";
  sent.content = item.content.map((part) =>
    part.type === "output_text" ? { ...part, annotations: [] } : part,
  );
}

/** Raw reasoning is sent back only in the kind that servers accept. */
function isSentBack({ content }: ReasoningItem): boolean {
  return !content || content.some((part) => part.type === "reasoning_text");
}

interface SentField {
  name: string;
  /** Written as `null` if there is no value. */
  always: boolean;
}

const sentFields: Record<string, readonly SentField[]> = {
  message: named("role", "content", "phase"),
  reasoning: named("summary", "content?", "encrypted_content?"),
  local_shell_call: named("call_id?", "status", "action"),
  function_call: named("name", "namespace", "arguments", "call_id"),
  function_call_output: named("call_id", "name", "namespace", "output"),
  custom_tool_call: named("status", "call_id", "name", "input"),
  custom_tool_call_output: named("call_id", "name", "output"),
  tool_search_call: named("call_id", "status", "execution", "arguments"),
  tool_search_output: named("call_id", "status", "execution", "tools"),
  agent_message: named("author", "recipient", "content"),
  web_search_call: named("status", "action"),
  image_generation_call: named("status", "revised_prompt", "result"),
  compaction: named("encrypted_content"),
};

/** A question mark follows fields that are always written, even without a value. */
function named(...names: string[]): SentField[] {
  return names.map((name) =>
    name.endsWith("?") ? { name: name.slice(0, -1), always: true } : { name, always: false },
  );
}

/** Returns the reasoning of a request; null if the model does not reason. */
export function toReasoning({ reasoning, toolsInInput }: Prompt): object | null {
  if (reasoning === undefined) return null;
  const { effort, summary } = reasoning;
  return {
    ...(effort === undefined ? undefined : { effort }),
    ...(summary === "none" ? undefined : { summary }),
    ...(toolsInInput ? { context: "all_turns" } : undefined),
  };
}

/** Returns the verbosity and the format of the answer, if they are set. */
export function toTextControls({ verbosity, outputSchema }: Prompt): object | undefined {
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
