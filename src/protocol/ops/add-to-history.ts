import Type, { type Static } from "typebox";

export const AddToHistoryOp = Type.Object(
  {
    type: Type.Literal("add_to_history"),
    text: Type.String({ description: "What to remember." }),
  },
  {
    $id: "AddToHistoryOp",
    description: "Appends to the message history all sessions share; there is no answer.",
  },
);
export interface AddToHistoryOp extends Static<typeof AddToHistoryOp> {}
