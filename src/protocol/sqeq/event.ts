import Type, { type Static } from "typebox";
import { described } from "../schema.js";
import { EventMsg } from "./events.generated.js";

export const Event = Type.Object(
  {
    id: Type.String({
      description: "The submission it follows from; empty for what nobody asked for.",
    }),
    msg: described(EventMsg, "What happened."),
    thread_id: Type.Optional(Type.String({ description: "The thread it belongs to." })),
    turn_id: Type.Optional(Type.String({ description: "The turn it belongs to." })),
    item_id: Type.Optional(Type.String({ description: "The item of the turn it is about." })),
    part: Type.Optional(Type.Integer({ description: "Which part of the item, counted from 0." })),
    seq: Type.Optional(Type.Integer({ description: "Its place in the order of all events." })),
  },
  { $id: "Event", description: "A message from the engine to the client." },
);
export interface Event extends Static<typeof Event> {
  msg: EventMsg;
}
