import Type, { type Static } from "typebox";
import { Nullish } from "../schema.js";

export const ThreadNameUpdatedEvent = Type.Object(
  {
    type: Type.Literal("thread_name_updated"),
    thread_id: Type.String({ description: "The thread." }),
    thread_name: Nullish(Type.String(), { description: "Its new name; absent when it has none." }),
  },
  { $id: "ThreadNameUpdatedEvent", description: "The thread got another name." },
);
export interface ThreadNameUpdatedEvent extends Static<typeof ThreadNameUpdatedEvent> {}

export const ContextCompactedEvent = Type.Object(
  { type: Type.Literal("context_compacted") },
  { $id: "ContextCompactedEvent", description: "The conversation was replaced by a summary." },
);
export interface ContextCompactedEvent extends Static<typeof ContextCompactedEvent> {}

export const ThreadRolledBackEvent = Type.Object(
  {
    type: Type.Literal("thread_rolled_back"),
    num_turns: Type.Integer({ description: "How many turns were taken back." }),
  },
  { $id: "ThreadRolledBackEvent", description: "The last turns were taken back." },
);
export interface ThreadRolledBackEvent extends Static<typeof ThreadRolledBackEvent> {}
