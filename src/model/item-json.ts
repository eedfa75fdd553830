import type { ReasoningItem, ResponseItem } from "../protocol/types.js";
import type { JsonObject } from "./json.js";

/**
 * Items of a conversation as JSON for the model, each written once.
 *
 * An item never changes after it was recorded, so a long history is not written out anew with
 * every request. Bytes are kept rather than text: joining them is a copy, and nothing has to be
 * encoded again. They go when their items go.
 */
export class ItemJson {
  #written = new WeakMap<ResponseItem, Buffer>();
  #withIds: boolean;

  constructor(withIds: boolean) {
    this.#withIds = withIds;
  }

  /** Appends the items, with commas between them; what the model must not see is left out. */
  appendTo(pieces: Uint8Array[], items: readonly ResponseItem[]): void {
    let first = true;
    for (const item of items) {
      const bytes = this.#bytes(item);
      if (bytes.length === 0) continue;
      pieces.push(first ? bytes.subarray(1) : bytes);
      first = false;
    }
  }

  /** The item with the comma that stands before it; empty for one that is never sent. */
  #bytes(item: ResponseItem): Buffer {
    let bytes = this.#written.get(item);
    if (bytes === undefined) {
      const sent = toSentItem(item, this.#withIds);
      bytes = Buffer.from(sent === undefined ? "" : `,${JSON.stringify(sent)}`);
      this.#written.set(item, bytes);
    }
    return bytes;
  }
}

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
