import { randomUuid } from "../lib/ids.js";
import type { JsonRecord } from "../protocol/read/check.js";
import type { ReasoningItem, ResponseItem } from "../protocol/types.js";

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
  const values = item as JsonRecord;
  const sent: JsonRecord = { type: item.type };
  // An empty id marks an item that is sent once and not stored.
  if (values.id !== "" && ids !== "none") {
    if (typeof values.id === "string") sent.id = values.id;
    else if (ids === "all") sent.id = newItemId(item);
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

/** Items are serialized once, so the id stays the same. */
function newItemId({ type }: ResponseItem): string {
  return `${idPrefixes[type] ?? "item"}_${randomUuid()}`;
}

const idPrefixes: Record<string, string> = {
  message: "msg",
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
  function_call_output: named("call_id", "output"),
  custom_tool_call: named("status", "call_id", "name", "input"),
  custom_tool_call_output: named("call_id", "name", "output"),
  tool_search_call: named("call_id", "status", "execution", "arguments"),
  tool_search_output: named("call_id", "status", "execution", "tools"),
  agent_message: named("author", "recipient", "content"),
  web_search_call: named("status", "action"),
  compaction: named("encrypted_content"),
};

/** A question mark follows fields that are always written, even without a value. */
function named(...names: string[]): SentField[] {
  return names.map((name) =>
    name.endsWith("?") ? { name: name.slice(0, -1), always: true } : { name, always: false },
  );
}

/**
 * Caches the JSON of values for requests.
 *
 * A recorded item never changes, so a long history is not serialized again with every request.
 * Bytes are cached rather than text: joining them is a copy without encoding. They are released
 * with their values.
 */
export class JsonPieces<T extends object> {
  #written = new WeakMap<T, Buffer>();
  #toSent: (value: T) => object | undefined;

  /** A value for which `toSent` returns `undefined` is omitted. */
  constructor(toSent: (value: T) => object | undefined) {
    this.#toSent = toSent;
  }

  /** Appends the values to a body, separated by commas. */
  appendTo(pieces: Uint8Array[], values: readonly T[]): void {
    let first = true;
    for (const value of values) {
      const bytes = this.#bytes(value);
      if (bytes.length === 0) continue;
      pieces.push(first ? bytes.subarray(1) : bytes);
      first = false;
    }
  }

  /** Returns the value with its leading comma; empty for an omitted one. */
  #bytes(value: T): Buffer {
    let bytes = this.#written.get(value);
    if (bytes === undefined) {
      const sent = this.#toSent(value);
      bytes = ownBytes(sent === undefined ? "" : `,${JSON.stringify(sent)}`);
      this.#written.set(value, bytes);
    }
    return bytes;
  }
}

/** Copies to a separate buffer: a cached slice would retain the whole pool. */
function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
