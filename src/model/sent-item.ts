import type { ReasoningItem, ResponseItem } from "../protocol/types.js";
import type { JsonObject } from "./json.js";

/**
 * An item as the model gets it back, its fields in the order the model's own servers use.
 *
 * Nothing for items that are never sent: system messages, snapshots and unknown kinds. Ids go only
 * to servers that keep the responses.
 */
export function toSentItem(item: ResponseItem, withIds: boolean): object | undefined {
  const fields = Object.hasOwn(sentFields, item.type) ? sentFields[item.type] : undefined;
  if (fields === undefined || ("role" in item && item.role === "system")) return undefined;
  const values = item as JsonObject;
  const sent: JsonObject = { type: item.type };
  if (withIds && typeof values.id === "string" && values.id !== "") sent.id = values.id;
  for (const { name, always } of fields) {
    const value = values[name] ?? undefined;
    if (value !== undefined) sent[name] = value;
    else if (always) sent[name] = null;
  }
  if (item.type === "reasoning" && !isTold(item)) delete sent.content;
  return sent;
}

/** Raw reasoning goes back only in the kind that servers read. */
function isTold({ content }: ReasoningItem): boolean {
  return !content || content.some((part) => part.type === "reasoning_text");
}

interface SentField {
  name: string;
  /** Written as `null` when there is no value. */
  always: boolean;
}

const sentFields: Record<string, readonly SentField[]> = {
  message: named("role", "content", "phase"),
  reasoning: named("summary", "content?", "encrypted_content?"),
  local_shell_call: named("call_id?", "status", "action"),
  function_call: named("name", "namespace", "arguments", "call_id"),
  function_call_output: named("call_id", "output"),
  custom_tool_call: named("status", "call_id", "name", "input"),
  custom_tool_call_output: named("call_id", "output"),
  web_search_call: named("status", "action"),
  compaction: named("encrypted_content"),
};

/** A question mark stands behind fields that are there even without a value. */
function named(...names: string[]): SentField[] {
  return names.map((name) =>
    name.endsWith("?") ? { name: name.slice(0, -1), always: true } : { name, always: false },
  );
}
