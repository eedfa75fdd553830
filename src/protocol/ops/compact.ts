import Type, { type Static } from "typebox";

export const CompactOp = Type.Object(
  { type: Type.Literal("compact") },
  {
    $id: "CompactOp",
    description: "Has the model summarize the conversation and goes on from the summary.",
  },
);
export interface CompactOp extends Static<typeof CompactOp> {}
