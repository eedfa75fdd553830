import { toThreadItem } from "../items/index.js";
import { itemOf, type Teller, type Translators, turnOf } from "./projection.js";

/** Messages, reasoning and plans: the items that the model or the user writes. */
export const messageTranslators: Translators = {
  item_started(event, teller) {
    const item = toThreadItem(event.msg.item);
    const turnId = turnOf(event, teller);
    if (item.type === "userMessage") item.clientId = nextClientId(turnId, teller);
    teller.start(item, turnId);
  },
  item_completed(event, teller) {
    const item = toThreadItem(event.msg.item);
    const begun = teller.open.get(item.id);
    if (item.type === "userMessage" && begun?.type === "userMessage") {
      item.clientId = begun.clientId;
    }
    teller.complete(item, turnOf(event, teller));
  },
  raw_response_item({ id, msg }, teller) {
    const { threadId, turn } = teller;
    teller.tell("rawResponseItem/completed", { threadId, turnId: turn?.id ?? id, item: msg.item });
  },
  agent_message_delta(event, teller) {
    const { threadId } = teller;
    const { delta } = event.msg;
    const turnId = turnOf(event, teller);
    teller.tell("item/agentMessage/delta", { threadId, turnId, itemId: itemOf(event), delta });
  },
  plan_delta(event, teller) {
    const { item_id: itemId, delta } = event.msg;
    const { threadId } = teller;
    teller.tell("item/plan/delta", { threadId, turnId: turnOf(event, teller), itemId, delta });
  },
  agent_reasoning_delta(event, teller) {
    const { threadId } = teller;
    teller.tell("item/reasoning/summaryTextDelta", {
      threadId,
      turnId: turnOf(event, teller),
      itemId: itemOf(event),
      delta: event.msg.delta,
      summaryIndex: event.part ?? 0,
    });
  },
  agent_reasoning_raw_content_delta(event, teller) {
    const { threadId } = teller;
    teller.tell("item/reasoning/textDelta", {
      threadId,
      turnId: turnOf(event, teller),
      itemId: itemOf(event),
      delta: event.msg.delta,
      contentIndex: event.part ?? 0,
    });
  },
  agent_reasoning_section_break(event, teller) {
    const { threadId } = teller;
    teller.tell("item/reasoning/summaryPartAdded", {
      threadId,
      turnId: turnOf(event, teller),
      itemId: itemOf(event),
      summaryIndex: event.part ?? 0,
    });
  },
};

/** The first message of a turn began it, the others joined it, in the order they came. */
function nextClientId(turnId: string, { clientIds }: Teller): string | null {
  const waiting = clientIds.get(turnId);
  const id = waiting?.shift() ?? null;
  if (waiting?.length === 0) clientIds.delete(turnId);
  return id;
}
