import Type, { type Static } from "typebox";
import { since } from "../../schema.js";

/** Links all events of a tool call. */
export const callId = Type.String({ description: "Tool call id." });

/** Turn of an event; older clients do not know it. */
export const turnId = since("0.104", Type.Optional(Type.String({ description: "Turn id." })));

/** Thread, turn and item of streamed text. */
export const itemPlace = {
  thread_id: Type.String({ description: "Thread id." }),
  turn_id: Type.String({ description: "Turn id." }),
  item_id: Type.String({ description: "Item id." }),
};

export const Duration = Type.Object(
  {
    secs: Type.Integer({ description: "Whole seconds." }),
    nanos: Type.Integer({ description: "Remaining nanoseconds." }),
  },
  { $id: "Duration", description: "A duration." },
);
export interface Duration extends Static<typeof Duration> {}
