import type { EngineBehavior } from "../compat/index.js";
import { takeFirstBytes, takeLastBytes } from "../lib/text.js";
import type { EventMsg, RolloutItem } from "../protocol/types.js";
import { toModePolicy, toTypePolicy } from "../protocol/write/index.js";

/** What of a conversation a rollout keeps besides what is always kept. */
type KeptEvents = Pick<EngineBehavior, "recordsTasks"> &
  Partial<Pick<EngineBehavior, "recordsCalls">>;

/** Whether a rollout keeps an event: what a resumed conversation shows again, and its bookmarks. */
export function isPersistedEvent(
  msg: EventMsg,
  { recordsTasks, recordsCalls = false }: KeptEvents,
): boolean {
  if (streamed.has(msg.type)) return false;
  // A plan is cut out of a message, so no item of the conversation tells it.
  if (msg.type === "item_completed") return msg.item?.type === "Plan";
  if (always.has(msg.type)) return true;
  return (recordsTasks && ofTasks.has(msg.type)) || (recordsCalls && ofCalls.has(msg.type));
}

/** What a rollout keeps of an event: of the output of a command its beginning and its end. */
export function toKeptEvent(msg: EventMsg): EventMsg {
  if (msg.type !== "exec_command_end") return msg;
  const aggregated_output = inShort(msg.aggregated_output);
  return { ...msg, stdout: "", stderr: "", formatted_output: "", aggregated_output };
}

function inShort(output: string): string {
  const bytes = Buffer.byteLength(output);
  if (bytes <= maxOutputBytes) return output;
  const [head, tail] = [
    takeFirstBytes(output, maxOutputBytes / 2),
    takeLastBytes(output, maxOutputBytes / 2),
  ];
  return `${head}\n[... ${bytes - maxOutputBytes} bytes left out ...]\n${tail}`;
}

/** What the user is shown of a command again; what the model got is kept beside it. */
const maxOutputBytes = 10_000;

/** Most events by far; they are told apart first. */
const streamed: ReadonlySet<EventMsg["type"]> = new Set<EventMsg["type"]>([
  "agent_message_delta",
  "agent_reasoning_delta",
  "agent_reasoning_raw_content_delta",
  "exec_command_output_delta",
]);

const always: ReadonlySet<EventMsg["type"]> = new Set<EventMsg["type"]>([
  "user_message",
  "agent_message",
  "agent_reasoning",
  "agent_reasoning_raw_content",
  "token_count",
  "context_compacted",
  "entered_review_mode",
  "exited_review_mode",
  "thread_rolled_back",
  "turn_aborted",
]);

const ofCalls: ReadonlySet<EventMsg["type"]> = new Set<EventMsg["type"]>([
  "exec_command_end",
  "patch_apply_end",
  "mcp_tool_call_end",
  "web_search_end",
  "dynamic_tool_call_response",
]);

const ofTasks: ReadonlySet<EventMsg["type"]> = new Set<EventMsg["type"]>([
  "task_started",
  "task_complete",
]);

/** How versions differ in what they write; each reads the others' form too. */
export interface RolloutBehavior {
  /** A sandbox policy is tagged by `mode` (until 0.45), by `type` (later), or for readers of both. */
  policyTag: "mode" | "type" | "both";
}

/** A line of a rollout, line end included; with its number where the file has numbers. */
export function toRolloutLine(
  item: RolloutItem,
  now: number,
  behavior: RolloutBehavior,
  ordinal?: number,
): Buffer {
  const timestamp = new Date(now).toISOString();
  const payload = toPayload(item, behavior);
  // A number that is absent is left out by `stringify`.
  return Buffer.from(`${JSON.stringify({ timestamp, ordinal, type: item.type, payload })}\n`);
}

function toPayload(item: RolloutItem, { policyTag }: RolloutBehavior): unknown {
  if (item.type !== "turn_context") return item.payload;
  const { sandbox_policy } = item.payload;
  const policy = {
    ...(policyTag === "type" ? {} : toModePolicy(sandbox_policy)),
    ...(policyTag === "mode" ? {} : toTypePolicy(sandbox_policy)),
  };
  return { ...item.payload, sandbox_policy: policy };
}
