import type { Event } from "../../protocol/types.js";
import { toThreadItem } from "../items/messages.js";
import { callProjections, execProjections, reviewProjections } from "./calls.js";
import { itemOf, type Projections, type ThreadProjection, turnOf } from "./projection.js";
import { statusProjections } from "./status.js";
import { turnProjections } from "./turn.js";

/** Notifies the clients of an event. Types without a projection are not reported. */
export function projectEvent(event: Event, projection: ThreadProjection): void {
  const project = projections[event.msg.type] as Project | undefined;
  project?.(event, projection);
}

type Project = (event: Event, projection: ThreadProjection) => void;

/** Projections of messages, reasoning and plans: the items that the model or the user writes. */
const messageProjections: Projections = {
  item_started(event, projection) {
    const item = toThreadItem(event.msg.item);
    const turnId = turnOf(event, projection);
    if (item.type === "userMessage") item.clientId = projection.messages.next(turnId);
    projection.startItem(item, turnId);
  },
  item_completed(event, projection) {
    const item = toThreadItem(event.msg.item);
    const open = projection.openItems.get(item.id);
    if (item.type === "userMessage" && open?.type === "userMessage") {
      item.clientId = open.clientId;
    }
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
};

const projections: Projections = {
  ...turnProjections,
  ...messageProjections,
  ...execProjections,
  ...callProjections,
  ...reviewProjections,
  ...statusProjections,
};
