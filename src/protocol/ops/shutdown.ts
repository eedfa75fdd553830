import Type, { type Static } from "typebox";

export const ShutdownOp = Type.Object(
  { type: Type.Literal("shutdown") },
  {
    $id: "ShutdownOp",
    description: "Ends the engine; answered by `shutdown_complete`.",
  },
);
export interface ShutdownOp extends Static<typeof ShutdownOp> {}
