import Type, { type Static } from "typebox";
import { ResponseItem } from "../items/response.js";

export const InjectItemsOp = Type.Object(
  {
    type: Type.Literal("inject_items"),
    response_items: Type.Array(ResponseItem, { description: "The items, in their order." }),
  },
  {
    $id: "InjectItemsOp",
    description:
      "Adds items to what the model is shown, without asking it; answered by " +
      "`submission_accepted`.",
  },
);
export interface InjectItemsOp extends Static<typeof InjectItemsOp> {
  response_items: ResponseItem[];
}
