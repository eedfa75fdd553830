import type { EngineBehavior } from "../compat/index.js";
import { takeFirstBytes, takeLastBytes } from "../lib/text.js";
import type { EventMsg, RolloutItem } from "../protocol/types.js";
import { toModePolicy, toTypePolicy } from "../protocol/write.js";

/** Optional kinds of events that a rollout persists. */
type PersistedEvents = Pick<EngineBehavior, "recordsTasks"> &
  Partial<Pick<EngineBehavior, "recordsCalls" | "recordsPlans">>;

/** Returns true if a rollout persists an event: those replayed on resume, and bookmarks. */
export function isPersistedEvent(
  msg: EventMsg,
  { recordsTasks, recordsCalls = false, recordsPlans = false }: PersistedEvents,
): boolean {
  if (streamed.has(msg.type)) return false;
  if (msg.type === "item_completed") return onlyItems.has(msg.item?.type ?? "");
  if (msg.type === "guardian_assessment") return msg.status !== "in_progress";
  if (always.has(msg.type)) return true;
  if (msg.type === "plan_update") return recordsPlans;
  return (recordsTasks && ofTasks.has(msg.type)) || (recordsCalls && ofCalls.has(msg.type));
}

/** Returns the event as persisted: command output is shortened, and a saved picture is left out. */
export function toPersistedEvent(msg: EventMsg): EventMsg {
  if (msg.type === "item_completed" && msg.item?.type === "ImageGeneration") {
    const { item } = msg;
    return item.saved_path === undefined ? msg : { ...msg, item: { ...item, result: "" } };
  }
  if (msg.type !== "exec_command_end") return msg;
  const aggregated_output = shorten(msg.aggregated_output);
  return { ...msg, stdout: "", stderr: "", formatted_output: "", aggregated_output };
}

function shorten(output: string): string {
  const bytes = Buffer.byteLength(output);
  if (bytes <= maxOutputBytes) return output;
  const [head, tail] = [
    takeFirstBytes(output, maxOutputBytes / 2),
    takeLastBytes(output, maxOutputBytes / 2),
  ];
  return `${head}\n[... ${bytes - maxOutputBytes} bytes left out ...]\n${tail}`;
}

/** Shown to the user on resume; the output sent to the model is persisted separately. */
const maxOutputBytes = 10_000;

/** Items that no other event contains. */
const onlyItems: ReadonlySet<string> = new Set([
  "Plan",
  "ImageGeneration",
  "HookPrompt",
  "SubAgentActivity",
  "CollabAgentToolCall",
  "Sleep",
  "FunctionCallOutput",
  "AnsweredQuestions",
]);

/** Checked first, because most events are deltas. */
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
  "thread_goal_updated",
  "thread_goal_cleared",
  "thread_queue_changed",
  "turn_checkpoint",
  "thread_rewound",
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

/** Differences between versions in what they write; each also reads the other formats. */
export interface RolloutBehavior {
  /** Tag of a sandbox policy: `mode` (until 0.45), `type` (later), or both. */
  policyTag: "mode" | "type" | "both";
}

/** Encodes a line of a rollout, with its newline, and its number if the file is numbered. */
export function toRolloutLine(
  item: RolloutItem,
  now: number,
  behavior: RolloutBehavior,
  ordinal?: number,
): Buffer {
  const timestamp = new Date(now).toISOString();
  const payload = toPayload(item, behavior);
  // `stringify` omits an undefined number.
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
