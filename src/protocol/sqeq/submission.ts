import Type, { type Static } from "typebox";
import { described } from "../schema.js";
import { Op } from "./ops.generated.js";

export const Submission = Type.Object(
  {
    id: Type.String({
      description: "Chosen by the client; the resulting events carry the same id.",
    }),
    op: described(Op, "The op."),
  },
  { $id: "Submission", description: "A message from the client to the engine." },
);
export interface Submission extends Static<typeof Submission> {
  op: Op;
}
