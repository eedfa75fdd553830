import Type, { type Static } from "typebox";

/** Ties all events about one tool call together. */
export const callId = Type.String({ description: "Names the call in all events about it." });

/** Says which turn an event belongs to; older clients do not know it. */
export const turnId = Type.Optional(Type.String({ description: "The turn it belongs to." }));

/** Says which thread, turn and item a piece of streamed text belongs to. */
export const itemPlace = {
  thread_id: Type.String({ description: "The thread it belongs to." }),
  turn_id: Type.String({ description: "The turn it belongs to." }),
  item_id: Type.String({ description: "The item it belongs to." }),
};

export const Duration = Type.Object(
  {
    secs: Type.Integer({ description: "Whole seconds." }),
    nanos: Type.Integer({ description: "The rest, in nanoseconds." }),
  },
  { $id: "Duration", description: "A length of time." },
);
export interface Duration extends Static<typeof Duration> {}
