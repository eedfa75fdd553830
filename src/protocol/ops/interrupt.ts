import Type, { type Static } from "typebox";

export const InterruptOp = Type.Object(
  { type: Type.Literal("interrupt") },
  {
    $id: "InterruptOp",
    description: "Stops the running task; answered by `turn_aborted`.",
  },
);
export interface InterruptOp extends Static<typeof InterruptOp> {}
