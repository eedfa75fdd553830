import type { EventBehavior } from "../compat/index.js";
import type { Event, EventMsg, FileChange, SessionConfiguredEvent } from "../protocol/types.js";
import {
  toKeyedFileChange,
  toOkOrErr,
  toTaggedFileChange,
  toTypePolicy,
} from "../protocol/write.js";

/** Returns true if clients of an era receive an event. */
export function isShownIn(msg: EventMsg, { hidden, items }: EventBehavior): boolean {
  // The client knows its own messages, but not those that the engine adds.
  const isNews = msg.type === "user_message" && msg.kind === "environment_context";
  if (hidden.has(msg.type) && !isNews) return false;
  if (msg.type !== "item_started" && msg.type !== "item_completed") return true;
  return items === "all" || msg.item.type === "Plan";
}

/** Converts an event to the shape of an era, with its turn and item ids if the era has them. */
export function toEraEvent(event: Event, events: EventBehavior): unknown {
  const shaped = toEraShape(event.msg, events);
  return events.placed ? inPlace(shaped as EventMsg, event) : shaped;
}

/** Converts the message of an event to the shape of an era; most are the same in all eras. */
export function toEraShape(msg: EventMsg, events: EventBehavior): unknown {
  switch (msg.type) {
    case "task_complete":
    case "turn_aborted":
      return events.bookmarks ? msg : withoutBookmark(msg);
    case "agent_message":
      return events.bookmarks ? msg : withoutPhase(msg);
    case "error":
    case "stream_error":
      return events.errorInfo ? msg : withoutInfo(msg);
    case "patch_apply_begin":
    case "apply_patch_approval_request":
    case "patch_apply_end":
    case "patch_apply_updated":
      return events.fileChange === "tagged" ? msg : withChanges(msg, events);
    case "mcp_tool_call_end":
      return events.mcpResult === "wrapped" ? { ...msg, result: toOkOrErr(msg.result) } : msg;
    case "web_search_end":
      return events.placed ? msg : withoutAction(msg);
    case "session_configured":
      return withShapedMessages(events.configuredFully ? inFull(msg) : inShort(msg), events);
    default:
      return msg;
  }
}

function inPlace(msg: EventMsg, { turn_id, item_id, part }: Event): unknown {
  if (turn_id === undefined) return msg;
  if (msg.type === "agent_reasoning_section_break") return { ...msg, item_id, summary_index: part };
  return carriesTurnId.has(msg.type) ? { turn_id, ...msg } : msg;
}

const carriesTurnId: ReadonlySet<EventMsg["type"]> = new Set<EventMsg["type"]>([
  "task_started",
  "task_complete",
  "turn_aborted",
  "exec_command_begin",
  "exec_command_end",
  "exec_approval_request",
  "patch_apply_begin",
  "patch_apply_end",
  "apply_patch_approval_request",
]);

function withoutInfo<Msg extends { codex_error_info?: unknown }>(msg: Msg): unknown {
  const { codex_error_info: _, ...rest } = msg;
  return rest;
}

function withoutPhase<Msg extends { phase?: unknown }>(msg: Msg): unknown {
  const { phase: _, ...rest } = msg;
  return rest;
}

function withoutAction<Msg extends { action?: unknown }>(msg: Msg): unknown {
  const { action: _, ...rest } = msg;
  return rest;
}

function withoutBookmark<Msg extends { response_id?: unknown }>(msg: Msg): unknown {
  const { response_id: _, ...rest } = msg;
  return rest;
}

function withChanges<Msg extends { changes?: Record<string, FileChange> }>(
  msg: Msg,
  { fileChange }: EventBehavior,
): unknown {
  if (msg.changes === undefined) return msg;
  const write = fileChange === "keyed" ? toKeyedFileChange : toTaggedFileChange;
  const changes = Object.entries(msg.changes).map(
    ([path, change]) => [path, write(change)] as const,
  );
  return { ...msg, changes: Object.fromEntries(changes) };
}

/** Eras that report the policy here use another format for it. */
function inFull(msg: SessionConfiguredEvent): SessionConfiguredEvent {
  const { sandbox_policy } = msg;
  if (sandbox_policy === undefined) return msg;
  return {
    ...msg,
    sandbox_policy: toTypePolicy(sandbox_policy) as unknown as typeof sandbox_policy,
  };
}

/** Removes the fields that older eras did not report. */
function inShort(msg: SessionConfiguredEvent): SessionConfiguredEvent {
  const {
    model_provider_id: _provider,
    approval_policy: _approval,
    approvals_reviewer: _reviewer,
    sandbox_policy: _sandbox,
    cwd: _cwd,
    reasoning_summary: _summary,
    personality: _personality,
    instruction_sources: _sources,
    ...rest
  } = msg;
  return rest;
}

function withShapedMessages(msg: SessionConfiguredEvent, events: EventBehavior): unknown {
  if (msg.initial_messages == null) return msg;
  const shaped = msg.initial_messages.map((one) => toEraShape(one, events));
  return { ...msg, initial_messages: shaped };
}
