import { asString } from "../lib/text.js";
import { isRecord, type JsonRecord } from "../protocol/read/check.js";
import type {
  ContentItem,
  LocalShellAction,
  ReasoningContent,
  ResponseItem,
  SummaryText,
  WebSearchAction,
} from "../protocol/types.js";

/**
 * Parses an item of the model, keeping only known fields.
 *
 * An unknown kind becomes `other`; returns `undefined` for an item that lacks a required field.
 */
export function readItem(value: unknown): ResponseItem | undefined {
  if (!isRecord(value) || typeof value.type !== "string") return undefined;
  const reader = Object.hasOwn(readers, value.type) ? readers[value.type] : undefined;
  return reader === undefined ? { type: "other" } : reader(value);
}

const readers: Record<string, (item: JsonRecord) => ResponseItem | undefined> = {
  message: readMessage,
  reasoning: readReasoning,
  function_call: readFunctionCall,
  custom_tool_call: readCustomToolCall,
  local_shell_call: readLocalShellCall,
  tool_search_call: readToolSearchCall,
  web_search_call: readWebSearchCall,
  image_generation_call: readImageGenerationCall,
  compaction: readCompaction,
  compaction_summary: readCompaction,
};

function readMessage(item: JsonRecord): ResponseItem | undefined {
  if (typeof item.role !== "string" || !Array.isArray(item.content)) return undefined;
  const content = readAll(item.content, readContent);
  const phase = typeof item.phase === "string" ? { phase: item.phase } : undefined;
  return { type: "message", ...idOf(item), role: item.role, content, ...phase };
}

function readContent(part: JsonRecord): ContentItem | undefined {
  const { type, text } = part;
  if (type === "output_text" || type === "input_text") {
    return typeof text === "string" ? { type, text } : undefined;
  }
  // A refusal replaces the answer: the user has to see it.
  if (type === "refusal" && typeof part.refusal === "string") {
    return { type: "output_text", text: part.refusal };
  }
  if (type !== "input_image" || typeof part.image_url !== "string") return undefined;
  return { type, image_url: part.image_url };
}

function readReasoning(item: JsonRecord): ResponseItem | undefined {
  if (!Array.isArray(item.summary)) return undefined;
  return {
    type: "reasoning",
    ...idOf(item),
    summary: readAll(item.summary, readSummary),
    content: Array.isArray(item.content) ? readAll(item.content, readReasoningContent) : null,
    encrypted_content: asString(item.encrypted_content) ?? null,
  };
}

function readSummary({ type, text }: JsonRecord): SummaryText | undefined {
  return type === "summary_text" && typeof text === "string" ? { type, text } : undefined;
}

function readReasoningContent({ type, text }: JsonRecord): ReasoningContent | undefined {
  if (typeof text !== "string") return undefined;
  return type === "reasoning_text" || type === "text" ? { type, text } : undefined;
}

function readFunctionCall(item: JsonRecord): ResponseItem | undefined {
  const { name, namespace, arguments: args, call_id } = item;
  if (typeof name !== "string" || typeof args !== "string" || typeof call_id !== "string") {
    return undefined;
  }
  const group = typeof namespace === "string" ? { namespace } : undefined;
  return { type: "function_call", ...idOf(item), name, ...group, arguments: args, call_id };
}

function readCustomToolCall(item: JsonRecord): ResponseItem | undefined {
  const { status, call_id, name, input } = item;
  if (typeof call_id !== "string" || typeof name !== "string" || typeof input !== "string") {
    return undefined;
  }
  const progress = typeof status === "string" ? { status } : undefined;
  return { type: "custom_tool_call", ...idOf(item), ...progress, call_id, name, input };
}

/** Searches that the model's server makes itself are of no concern here. */
function readToolSearchCall(item: JsonRecord): ResponseItem | undefined {
  const { call_id, status, execution, arguments: args = {} } = item;
  if (execution !== "client") return { type: "other" };
  if (typeof call_id !== "string" || !hasLevels(args, mostLevels)) return undefined;
  const progress = typeof status === "string" ? { status } : undefined;
  return {
    type: "tool_search_call",
    ...idOf(item),
    call_id,
    ...progress,
    execution,
    arguments: args,
  };
}

/** JSON that is nested much deeper can be parsed and not be written again. */
const mostLevels = 100;

/** Returns true if a JSON value has at most `most` levels. */
function hasLevels(value: unknown, most: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return most > 0 && Object.values(value).every((member) => hasLevels(member, most - 1));
}

function readLocalShellCall(item: JsonRecord): ResponseItem | undefined {
  const { status, action } = item;
  if (status !== "completed" && status !== "in_progress" && status !== "incomplete") {
    return undefined;
  }
  if (!isRecord(action) || action.type !== "exec" || !isTextList(action.command)) {
    return undefined;
  }
  return {
    type: "local_shell_call",
    ...idOf(item),
    call_id: asString(item.call_id) ?? null,
    status,
    action: readShellAction(action, action.command),
  };
}

function readShellAction(action: JsonRecord, command: string[]): LocalShellAction {
  const { timeout_ms, timeout, env, with_escalated_permissions: escalated } = action;
  const limit = timeout_ms ?? timeout;
  const justification = asString(action.justification);
  return {
    type: "exec",
    command,
    timeout_ms: typeof limit === "number" ? limit : null,
    working_directory: asString(action.working_directory) ?? null,
    env: isRecord(env) ? readVariables(env) : null,
    user: asString(action.user) ?? null,
    ...(typeof escalated === "boolean" ? { with_escalated_permissions: escalated } : undefined),
    ...(justification === undefined ? undefined : { justification }),
  };
}

function readVariables(env: JsonRecord): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function readWebSearchCall(item: JsonRecord): ResponseItem | undefined {
  const status = typeof item.status === "string" ? { status: item.status } : undefined;
  const action = isRecord(item.action) ? { action: readWebAction(item.action) } : undefined;
  return { type: "web_search_call", ...idOf(item), ...status, ...action };
}

function readWebAction({ type, query, queries, url, pattern }: JsonRecord): WebSearchAction {
  const page = typeof url === "string" ? { url } : undefined;
  if (type === "open_page") return { type, ...page };
  if (type === "find_in_page") {
    return { type, ...page, ...(typeof pattern === "string" ? { pattern } : undefined) };
  }
  if (type !== "search") return { type: "other" };
  return {
    type,
    ...(typeof query === "string" ? { query } : undefined),
    ...(isTextList(queries) ? { queries } : undefined),
  };
}

/** An item that only begins has no picture yet. */
function readImageGenerationCall(item: JsonRecord): ResponseItem {
  const prompt = asString(item.revised_prompt);
  return {
    type: "image_generation_call",
    ...idOf(item),
    status: asString(item.status) ?? "completed",
    ...(prompt === undefined ? undefined : { revised_prompt: prompt }),
    result: asString(item.result) ?? "",
  };
}

function readCompaction({ encrypted_content }: JsonRecord): ResponseItem | undefined {
  if (typeof encrypted_content !== "string") return undefined;
  return { type: "compaction", encrypted_content };
}

function idOf(item: JsonRecord): { id: string } | undefined {
  return typeof item.id === "string" ? { id: item.id } : undefined;
}

/** Omits parts of unknown kinds rather than dropping the whole item. */
function readAll<T>(values: unknown[], read: (value: JsonRecord) => T | undefined): T[] {
  return values.flatMap((value) => (isRecord(value) ? (read(value) ?? []) : []));
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}
