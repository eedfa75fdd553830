import type { JsonRecord } from "../../protocol/read/check.js";
import type {
  CallStep,
  CompletedStep,
  CustomCallStep,
  LocalShellStep,
  MessageStep,
  ReasoningStep,
  WebSearchStep,
} from "./script.js";

/** Position of an item: its response and its index. */
export interface Place {
  response: number;
  index: number;
  /** Last text of the user; set only for steps that repeat it. */
  userText?: string;
  /** Name of the model, if responses include it. */
  model?: string | undefined;
}

/** Output of a step: an event, raw text, or a pause in milliseconds. */
export type Wire = JsonRecord | string | number;

/** Returns the first event of every response. */
export function createdEvent({ response, model }: Place): JsonRecord {
  const created = toResponse(`resp_${response}`, "in_progress", model);
  return { type: "response.created", response: created };
}

/** Returns the last event of every complete response. */
export function completedEvent(step: CompletedStep, { response, model }: Place): JsonRecord {
  const { usage = defaultUsage(step.total_tokens) } = step;
  const completed = toResponse(step.id ?? `resp_${response}`, "completed", model);
  const counted = usage === null ? completed : { ...completed, usage };
  return { type: "response.completed", response: counted };
}

function toResponse(id: string, status: string, model: string | undefined): JsonRecord {
  return { id, object: "response", status, output: [], ...(model && { model }) };
}

function defaultUsage(total: number | undefined): JsonRecord {
  if (total === undefined) return toUsage(100, 20, 30, 5);
  return toUsage(total, 0, 0, 0);
}

function toUsage(input: number, cached: number, output: number, reasoning: number): JsonRecord {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}

/** Returns the events of a message: its deltas, then the item. */
export function messageEvents(step: MessageStep, place: Place): Wire[] {
  const id = step.id ?? idOf("msg", place);
  const phase = step.phase === undefined ? {} : { phase: step.phase };
  const message = { id, type: "message", role: "assistant", ...phase };
  const spot = { item_id: id, output_index: place.index, content_index: 0 };
  const part = { type: "output_text", text: "" };
  const wire: Wire[] = [
    added(place, { ...message, status: "in_progress", content: [] }),
    { type: "response.content_part.added", ...spot, part },
  ];
  for (const delta of piecesOf(step)) {
    if (step.pause_ms !== undefined) wire.push(step.pause_ms);
    wire.push({ type: "response.output_text.delta", ...spot, delta });
  }
  const text = step.message;
  const content = [{ type: "output_text", text, annotations: [] }];
  wire.push(
    { type: "response.output_text.done", ...spot, text },
    done(place, { ...message, status: "completed", content }),
  );
  return wire;
}

function piecesOf({ message, deltas = [message] }: MessageStep): readonly string[] {
  if (typeof deltas !== "number") return deltas;
  // By code points, so that no surrogate pair is split.
  const characters = Array.from(message);
  const count = Math.ceil(characters.length / deltas);
  return Array.from({ length: count }, (_, index) =>
    characters.slice(index * deltas, (index + 1) * deltas).join(""),
  );
}

/** Returns the events of reasoning: its summary by parts, the raw text if given, then the item. */
export function reasoningEvents(step: ReasoningStep, place: Place): Wire[] {
  const id = step.id ?? idOf("rs", place);
  const parts = typeof step.reasoning === "string" ? [step.reasoning] : step.reasoning;
  const spot = { item_id: id, output_index: place.index };
  const summary = parts.map((text) => ({ type: "summary_text", text }));
  const wire: Wire[] = [added(place, { id, type: "reasoning", summary: [] })];
  for (const [summary_index, text] of parts.entries()) {
    const at = { ...spot, summary_index };
    const part = { type: "summary_text", text: "" };
    wire.push(
      { type: "response.reasoning_summary_part.added", ...at, part },
      { type: "response.reasoning_summary_text.delta", ...at, delta: text },
      { type: "response.reasoning_summary_text.done", ...at, text },
    );
  }
  const { raw, encrypted = "ENC" } = step;
  const content = raw === undefined ? undefined : [{ type: "reasoning_text", text: raw }];
  if (raw !== undefined) {
    wire.push({ type: "response.reasoning_text.delta", ...spot, content_index: 0, delta: raw });
  }
  const item = { id, type: "reasoning", summary, ...(content && { content }) };
  wire.push(done(place, { ...item, encrypted_content: encrypted }));
  return wire;
}

/** Returns the events of a call with JSON arguments. */
export function callEvents(step: CallStep, place: Place): Wire[] {
  const id = idOf("fc", place);
  const args = typeof step.args === "string" ? step.args : JSON.stringify(step.args ?? {});
  const toItem = (status: string, text: string) => ({
    id,
    type: "function_call",
    status,
    name: step.call,
    arguments: text,
    call_id: step.call_id ?? idOf("call", place),
    ...(step.namespace === undefined ? undefined : { namespace: step.namespace }),
  });
  const spot = { item_id: id, output_index: place.index };
  return [
    added(place, toItem("in_progress", "")),
    { type: "response.function_call_arguments.delta", ...spot, delta: args },
    { type: "response.function_call_arguments.done", ...spot, arguments: args },
    done(place, toItem("completed", args)),
  ];
}

/** Returns the events of a call with plain text. */
export function customCallEvents(step: CustomCallStep, place: Place): Wire[] {
  const toItem = (status: string, input: string) => ({
    id: idOf("ct", place),
    type: "custom_tool_call",
    status,
    name: step.custom_call,
    input,
    call_id: step.call_id ?? idOf("call", place),
  });
  return [added(place, toItem("in_progress", "")), done(place, toItem("completed", step.input))];
}

/** Returns the events of a call of the built-in shell. */
export function localShellEvents(step: LocalShellStep, place: Place): Wire[] {
  const { local_shell, call_id: _, timeout_ms, working_directory, env, ...rest } = step;
  const item = {
    type: "local_shell_call",
    id: idOf("ls", place),
    call_id: step.call_id ?? idOf("call", place),
    status: "completed",
    action: {
      type: "exec",
      command: local_shell,
      timeout_ms: timeout_ms ?? null,
      env: env ?? {},
      working_directory: working_directory ?? null,
      ...rest,
    },
  };
  return [added(place, item), done(place, item)];
}

/** Returns the events of a web search. */
export function webSearchEvents(step: WebSearchStep, place: Place): Wire[] {
  const item = { type: "web_search_call", id: step.id ?? idOf("ws", place) };
  const action = { type: "search", query: step.web_search };
  return [
    added(place, { ...item, status: "in_progress" }),
    done(place, { ...item, status: "completed", action }),
  ];
}

function added({ index }: Place, item: JsonRecord): JsonRecord {
  return { type: "response.output_item.added", output_index: index, item };
}

function done({ index }: Place, item: JsonRecord): JsonRecord {
  return { type: "response.output_item.done", output_index: index, item };
}

function idOf(prefix: string, { response, index }: Place): string {
  return `${prefix}_${response}_${index}`;
}
