import Type, { type Static } from "typebox";
import { DynamicToolResponse } from "../dynamic-tool.js";
import { described } from "../schema.js";

export const DynamicToolResponseOp = Type.Object(
  {
    type: Type.Literal("dynamic_tool_response"),
    id: Type.String({ description: "The `callId` of the request." }),
    response: described(DynamicToolResponse, "How the call went."),
  },
  { $id: "DynamicToolResponseOp", description: "Answers a `dynamic_tool_call_request` event." },
);
export interface DynamicToolResponseOp extends Static<typeof DynamicToolResponseOp> {
  response: DynamicToolResponse;
}
