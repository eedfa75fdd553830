import Type, { type Static } from "typebox";
import { InputItem } from "../../items/input.js";
import { ResponseItem } from "../../items/response.js";
import { WebSearchAction } from "../../items/web-search.js";
import { described, taggedUnion } from "../../schema.js";

const id = Type.String({ description: "Names the item in all events about it." });

export const UserMessageTurnItem = Type.Object(
  {
    type: Type.Literal("UserMessage"),
    id,
    content: Type.Array(InputItem, { description: "What the user sent." }),
  },
  { $id: "UserMessageTurnItem", description: "A message of the user." },
);
export interface UserMessageTurnItem extends Static<typeof UserMessageTurnItem> {}

export const AgentMessageText = Type.Object(
  {
    type: Type.Literal("Text"),
    text: Type.String({ description: "The text." }),
  },
  { $id: "AgentMessageText", description: "A part of a message of the model." },
);
export interface AgentMessageText extends Static<typeof AgentMessageText> {}

export const AgentMessageTurnItem = Type.Object(
  {
    type: Type.Literal("AgentMessage"),
    id,
    content: Type.Array(AgentMessageText, { description: "Its parts." }),
    phase: Type.Optional(
      Type.String({ description: "Where in the turn it stands, if the model says." }),
    ),
  },
  { $id: "AgentMessageTurnItem", description: "A message of the model." },
);
export interface AgentMessageTurnItem extends Static<typeof AgentMessageTurnItem> {}

export const PlanTurnItem = Type.Object(
  {
    type: Type.Literal("Plan"),
    id,
    text: Type.String({ description: "The plan." }),
  },
  { $id: "PlanTurnItem", description: "A plan the model proposes in plan mode." },
);
export interface PlanTurnItem extends Static<typeof PlanTurnItem> {}

export const ReasoningTurnItem = Type.Object(
  {
    type: Type.Literal("Reasoning"),
    id,
    summary_text: Type.Array(Type.String(), { description: "The parts of the summary." }),
    raw_content: Type.Optional(
      Type.Array(Type.String(), { description: "The reasoning itself, where it is shown." }),
    ),
  },
  { $id: "ReasoningTurnItem", description: "Reasoning of the model." },
);
export interface ReasoningTurnItem extends Static<typeof ReasoningTurnItem> {}

export const WebSearchTurnItem = Type.Object(
  {
    type: Type.Literal("WebSearch"),
    id,
    query: Type.String({ description: "What was searched for; empty until it is known." }),
    action: described(Type.Optional(WebSearchAction), "What was done."),
  },
  { $id: "WebSearchTurnItem", description: "A web search of the model." },
);
export interface WebSearchTurnItem extends Static<typeof WebSearchTurnItem> {}

export const ContextCompactionTurnItem = Type.Object(
  { type: Type.Literal("ContextCompaction"), id },
  { $id: "ContextCompactionTurnItem", description: "The conversation was summarized." },
);
export interface ContextCompactionTurnItem extends Static<typeof ContextCompactionTurnItem> {}

/** Something that happened in a turn, as clients show it. */
export type TurnItem =
  | UserMessageTurnItem
  | AgentMessageTurnItem
  | PlanTurnItem
  | ReasoningTurnItem
  | WebSearchTurnItem
  | ContextCompactionTurnItem;
export const TurnItem = taggedUnion(
  "TurnItem",
  "type",
  [
    UserMessageTurnItem,
    AgentMessageTurnItem,
    PlanTurnItem,
    ReasoningTurnItem,
    WebSearchTurnItem,
    ContextCompactionTurnItem,
  ],
  "Something that happened in a turn, as clients show it.",
);

const place = {
  thread_id: Type.String({ description: "The thread it belongs to." }),
  turn_id: Type.String({ description: "The turn it belongs to." }),
};

export const ItemStartedEvent = Type.Object(
  {
    type: Type.Literal("item_started"),
    ...place,
    item: described(TurnItem, "The item, as far as it is known."),
  },
  { $id: "ItemStartedEvent", description: "An item of the turn begins." },
);
export interface ItemStartedEvent extends Static<typeof ItemStartedEvent> {
  item: TurnItem;
}

export const RawResponseItemEvent = Type.Object(
  {
    type: Type.Literal("raw_response_item"),
    item: described(ResponseItem, "The item, as the model is shown it."),
  },
  { $id: "RawResponseItemEvent", description: "An item was added to the conversation." },
);
export interface RawResponseItemEvent extends Static<typeof RawResponseItemEvent> {
  item: ResponseItem;
}

export const ItemCompletedEvent = Type.Object(
  {
    type: Type.Literal("item_completed"),
    ...place,
    item: described(TurnItem, "The item, complete."),
  },
  { $id: "ItemCompletedEvent", description: "An item of the turn is complete." },
);
export interface ItemCompletedEvent extends Static<typeof ItemCompletedEvent> {
  item: TurnItem;
}
