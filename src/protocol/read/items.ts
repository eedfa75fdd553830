import {
  checkResponseInputItem,
  checkResponseItem,
  checkShellToolCallParams,
} from "../checks/items.generated.js";
import { checkInputItem } from "../checks/sqeq.generated.js";
import { CodexError } from "../error.js";
import type { InputItem } from "../items/input.js";
import type { ResponseItem } from "../items/response.js";
import type { ResponseInputItem } from "../items/response-input.js";
import type { ShellToolCallParams } from "../items/shell.js";
import {
  assertDepth,
  isRecord,
  type JsonRecord,
  properFields,
  renameFields,
  spelled,
} from "./check.js";
import { toMcpResult } from "./event.js";
import { assertValid } from "./problem.js";

/**
 * Reads a response item from the model or from a rollout.
 *
 * Unknown fields are dropped, because the item is sent to the model again. An unknown type becomes
 * `{"type":"other"}`; a missing required field throws.
 */
export function parseResponseItem(value: unknown): ResponseItem {
  assertDepth(value);
  const item = toResponseItem(value);
  assertValid(checkResponseItem, item, "item");
  assertNamed(item as ResponseItem);
  return item as ResponseItem;
}

/** Reads an input item for the model. */
export function parseResponseInputItem(value: unknown): ResponseInputItem {
  assertDepth(value);
  const isMcp = isRecord(value) && value.type === "mcp_tool_call_output";
  const item = isMcp ? { ...value, result: toMcpResult(value.result) } : toResponseItem(value);
  assertValid(checkResponseInputItem, item, "item");
  return item as ResponseInputItem;
}

/** Throws if an output neither belongs to a call nor names its tool. */
function assertNamed(item: ResponseItem): void {
  if (item.type !== "function_call_output" || (item.call_id ?? item.name) !== undefined) return;
  const path = "item.call_id";
  throw new CodexError("invalid_request", `${path} is missing.`, { data: { path } });
}

/** Normalizes a response item without validation. */
export function toResponseItem(value: unknown): unknown {
  if (!isRecord(value) || typeof value.type !== "string") return value;
  const type = value.type === "compaction_summary" ? "compaction" : value.type;
  const fields = Object.hasOwn(knownFields, type) ? knownFields[type] : undefined;
  if (fields === undefined) return { type: "other" };
  const item: JsonRecord = { type };
  for (const name of fields) {
    const field = Object.hasOwn(value, name) ? value[name] : undefined;
    if (field === undefined || (field === null && neverNull.has(name))) continue;
    item[name] = toItemField(name, field);
  }
  return item;
}

function toItemField(name: string, field: unknown): unknown {
  switch (name) {
    case "content":
      return Array.isArray(field) ? toParts(field) : field;
    case "summary":
      return Array.isArray(field) ? toParts(field) : field;
    case "output":
      return toOutput(field);
    case "action":
      return toAction(field);
    default:
      return field;
  }
}

/** Drops unknown content parts, so that the rest of the message is kept. */
function toParts(parts: unknown[]): unknown[] {
  const known: unknown[] = [];
  for (const part of parts) {
    const type = isRecord(part) ? part.type : undefined;
    if (typeof type !== "string") known.push(part);
    else if (Object.hasOwn(partFields, type))
      known.push(pick(part as JsonRecord, type, partFields));
  }
  return known;
}

/** Older rollouts wrap the text in an object. */
function toOutput(output: unknown): unknown {
  if (Array.isArray(output)) return toParts(output);
  if (!isRecord(output)) return output;
  return Array.isArray(output.content_items) ? toParts(output.content_items) : output.content;
}

function toAction(action: unknown): unknown {
  if (!isRecord(action) || typeof action.type !== "string") return action;
  if (!Object.hasOwn(actionFields, action.type)) return { type: "other" };
  return pick(renameFields(action, { timeout: "timeout_ms" }), action.type, actionFields);
}

function pick(record: JsonRecord, type: string, table: Record<string, string[]>): JsonRecord {
  const picked: JsonRecord = { type };
  for (const name of table[type] ?? []) {
    const field = Object.hasOwn(record, name) ? record[name] : undefined;
    if (field !== undefined) picked[name] = field;
  }
  return picked;
}

/** Fields that must be absent, not `null`, if there is no value. */
const neverNull = new Set(["id", "action"]);

const knownFields: Record<string, string[]> = {
  message: ["id", "role", "content"],
  reasoning: ["id", "summary", "content", "encrypted_content"],
  local_shell_call: ["id", "call_id", "status", "action"],
  function_call: ["id", "name", "namespace", "arguments", "call_id"],
  function_call_output: ["call_id", "name", "namespace", "retain", "output"],
  custom_tool_call: ["id", "status", "call_id", "name", "input"],
  custom_tool_call_output: ["call_id", "name", "output"],
  agent_message: ["id", "author", "recipient", "content"],
  tool_search_call: ["id", "call_id", "status", "execution", "arguments"],
  tool_search_output: ["call_id", "status", "execution", "tools"],
  web_search_call: ["id", "status", "action"],
  image_generation_call: ["id", "status", "revised_prompt", "result"],
  ghost_snapshot: ["ghost_commit"],
  compaction: ["encrypted_content"],
};

const partFields: Record<string, string[]> = {
  input_text: ["text"],
  input_image: ["image_url", "detail"],
  output_text: ["text"],
  summary_text: ["text"],
  reasoning_text: ["text"],
  text: ["text"],
  encrypted_content: ["encrypted_content"],
};

const actionFields: Record<string, string[]> = {
  exec: [
    "command",
    "timeout_ms",
    "working_directory",
    "env",
    "user",
    "with_escalated_permissions",
    "justification",
  ],
  search: ["query", "queries"],
  open_page: ["url"],
  find_in_page: ["url", "pattern"],
};

/** Reads the arguments of the `shell` tool; `timeout` is an alias of `timeout_ms`. */
export function parseShellArguments(value: unknown): ShellToolCallParams {
  const params = isRecord(value) ? properFields(value, { timeout: "timeout_ms" }) : value;
  assertValid(checkShellToolCallParams, params, "arguments");
  return params as ShellToolCallParams;
}

/** Reads an input item: flat, or with its fields under `data`. */
export function parseInputItem(value: unknown, name = "item"): InputItem {
  const item = toInputItem(value);
  assertValid(checkInputItem, item, name);
  return item as InputItem;
}

/** Normalizes a list of input items without validation. */
export function toInputItems(value: unknown): unknown {
  return Array.isArray(value) ? value.map(toInputItem) : value;
}

function toInputItem(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const item = properFields(isRecord(value.data) ? withData(value, value.data) : value, fieldNames);
  item.type = spelled(kinds, item.type);
  if (item.type === "image") return renameFields(item, { url: "image_url" });
  if (Array.isArray(item.text_elements)) item.text_elements = item.text_elements.map(toElement);
  return item;
}

function withData({ data: _, ...plain }: JsonRecord, data: JsonRecord): JsonRecord {
  return { ...data, ...plain };
}

function toElement(value: unknown): unknown {
  return isRecord(value) ? properFields(value, { byteRange: "byte_range" }) : value;
}

const kinds: Record<string, InputItem["type"]> = {
  text: "text",
  image: "image",
  localimage: "local_image",
  skill: "skill",
  mention: "mention",
};

const fieldNames = { imageUrl: "image_url", textElements: "text_elements" };
