import type { Event, EventMsg } from "../../protocol/types.js";
import { toThreadItem } from "../items/messages.js";
import { autoReviewProjections } from "./auto-review.js";
import { callProjections, execProjections, reviewProjections } from "./calls.js";
import { hookProjections } from "./hooks.js";
import { itemOf, type Projections, type ThreadProjection, turnOf } from "./projection.js";
import { statusProjections } from "./status.js";
import { turnProjections } from "./turn.js";
import { workProjections } from "./work.js";

/** Notifies the clients of an event. */
export function projectEvent(event: Event, projection: ThreadProjection): void {
  const project = projections[event.msg.type] as Project | null | undefined;
  project?.(event, projection);
}

type Project = (event: Event, projection: ThreadProjection) => void;

/** Projections of messages, reasoning and plans: the items that the model or the user writes. */
const messageProjections = {
  item_started(event, projection) {
    const item = toThreadItem(event.msg.item);
    projection.startItem(item, turnOf(event, projection));
  },
  item_completed(event, projection) {
    const item = toThreadItem(event.msg.item);
    projection.completeItem(item, turnOf(event, projection));
  },
  raw_response_item({ id, msg }, projection) {
    const { threadId, turn } = projection;
    projection.notify("rawResponseItem/completed", {
      threadId,
      turnId: turn?.id ?? id,
      item: msg.item,
    });
  },
  agent_message_delta(event, projection) {
    const { threadId } = projection;
    const { delta } = event.msg;
    const turnId = turnOf(event, projection);
    projection.notify("item/agentMessage/delta", {
      threadId,
      turnId,
      itemId: itemOf(event),
      delta,
    });
  },
  plan_delta(event, projection) {
    const { item_id: itemId, delta } = event.msg;
    const { threadId } = projection;
    projection.notify("item/plan/delta", {
      threadId,
      turnId: turnOf(event, projection),
      itemId,
      delta,
    });
  },
  agent_reasoning_delta(event, projection) {
    const { threadId } = projection;
    projection.notify("item/reasoning/summaryTextDelta", {
      threadId,
      turnId: turnOf(event, projection),
      itemId: itemOf(event),
      delta: event.msg.delta,
      summaryIndex: event.part ?? 0,
    });
  },
  agent_reasoning_raw_content_delta(event, projection) {
    const { threadId } = projection;
    projection.notify("item/reasoning/textDelta", {
      threadId,
      turnId: turnOf(event, projection),
      itemId: itemOf(event),
      delta: event.msg.delta,
      contentIndex: event.part ?? 0,
    });
  },
  agent_reasoning_section_break(event, projection) {
    const { threadId } = projection;
    projection.notify("item/reasoning/summaryPartAdded", {
      threadId,
      turnId: turnOf(event, projection),
      itemId: itemOf(event),
      summaryIndex: event.part ?? 0,
    });
  },
} satisfies Projections;

/** Every event is projected or declared as not shown; a new event without an entry does not compile. */
type AllProjections = { [Type in EventMsg["type"]]: NonNullable<Projections[Type]> | null };

/** Events without a v2 notification. */
const notShown = {
  // Sent as server requests.
  apply_patch_approval_request: null,
  elicitation_request: null,
  exec_approval_request: null,
  request_permissions: null,
  request_user_input: null,
  question_answered: null,
  // Reported by `item_started`, `item_completed` and the deltas of items.
  agent_message: null,
  agent_message_content_delta: null,
  agent_reasoning: null,
  agent_reasoning_raw_content: null,
  reasoning_content_delta: null,
  reasoning_raw_content_delta: null,
  user_message: null,
  image_generation_begin: null,
  image_generation_end: null,
  web_search_begin: null,
  web_search_end: null,
  // Replies to ops that v2 answers by the result of a method.
  background_commands: null,
  background_commands_ended: null,
  conversation_path: null,
  get_history_entry_response: null,
  list_custom_prompts_response: null,
  list_skills_response: null,
  mcp_list_tools_response: null,
  sample_response: null,
  session_configured: null,
  submission_accepted: null,
  thread_rolled_back: null,
  turn_settings_updated: null,
  // Not part of v2.
  background_event: null,
  mcp_startup_complete: null,
  step_complete: null,
  turn_checkpoint: null,
  undo_started: null,
  undo_completed: null,
} satisfies Partial<Record<EventMsg["type"], null>>;

const projections: AllProjections = {
  ...notShown,
  ...turnProjections,
  ...messageProjections,
  ...execProjections,
  ...callProjections,
  ...reviewProjections,
  ...statusProjections,
  ...hookProjections,
  ...autoReviewProjections,
  ...workProjections,
};
