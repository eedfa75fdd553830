import Type, { type Static } from "typebox";
import { ResponseItem } from "../items/response.js";
import { described } from "../schema.js";
import { TurnItem } from "../turn-item.js";

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
