import Type, { type Static } from "typebox";
import { described } from "../schema.js";
import { EventMsg } from "./events.generated.js";

export const Event = Type.Object(
  {
    id: Type.String({
      description: "Id of the submission that caused it; empty if none did.",
    }),
    msg: described(EventMsg, "Event payload."),
    thread_id: Type.Optional(Type.String({ description: "Thread id." })),
    agent_path: Type.Optional(
      Type.String({
        description:
          "Path of the helper agent that asks; its questions reach the client of its root.",
      }),
    ),
    turn_id: Type.Optional(Type.String({ description: "Turn id." })),
    item_id: Type.Optional(Type.String({ description: "Item id." })),
    part: Type.Optional(Type.Integer({ description: "Index of the item's part, starting at 0." })),
    seq: Type.Optional(Type.Integer({ description: "Sequence number." })),
  },
  { $id: "Event", description: "A message from the engine to the client." },
);
export interface Event extends Static<typeof Event> {
  msg: EventMsg;
}
