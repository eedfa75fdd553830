import Type, { type Static } from "typebox";
import { DynamicToolContent } from "../dynamic-tool.js";
import { Nullish } from "../schema.js";

const call = {
  callId: Type.String({ description: "Names the call in all events about it." }),
  turnId: Type.String({ description: "The turn it belongs to." }),
  tool: Type.String({ description: "The tool." }),
  namespace: Nullish(Type.String(), { description: "The group of the tool, if it is in one." }),
  arguments: Type.Unknown({ description: "What the model calls it with." }),
};

export const DynamicToolCallRequestEvent = Type.Object(
  { type: Type.Literal("dynamic_tool_call_request"), ...call },
  {
    $id: "DynamicToolCallRequestEvent",
    description: "Asks the client to run one of its tools; answered by `dynamic_tool_response`.",
  },
);
export interface DynamicToolCallRequestEvent extends Static<typeof DynamicToolCallRequestEvent> {}

export const DynamicToolCallResponseEvent = Type.Object(
  {
    type: Type.Literal("dynamic_tool_call_response"),
    ...call,
    contentItems: Type.Array(DynamicToolContent, { description: "What the model gets back." }),
    success: Type.Boolean({ description: "Whether the tool did what it was asked." }),
    durationMs: Type.Integer({ description: "How long the client took." }),
  },
  { $id: "DynamicToolCallResponseEvent", description: "A call of a client's tool has ended." },
);
export interface DynamicToolCallResponseEvent extends Static<typeof DynamicToolCallResponseEvent> {
  contentItems: DynamicToolContent[];
}
