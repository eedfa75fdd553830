import Type, { type Static } from "typebox";
import { WebSearchAction } from "../../items/web-search.js";
import { described, Nullish, taggedUnion } from "../../schema.js";
import { callId } from "./fields.js";

export const DynamicTool = Type.Object(
  {
    name: Type.String({ description: "What the model calls it by." }),
    description: Type.String({ description: "What the model is told of it." }),
    inputSchema: Type.Unknown({ description: "A JSON Schema of its arguments." }),
    namespace: Type.Optional(
      Type.String({ description: "The group it belongs to; names are unique inside one." }),
    ),
    namespaceDescription: Type.Optional(
      Type.String({ description: "What the model is told of the group." }),
    ),
  },
  { $id: "DynamicTool", description: "A tool that the client runs itself." },
);
export interface DynamicTool extends Static<typeof DynamicTool> {}

export const DynamicToolText = Type.Object(
  { type: Type.Literal("inputText"), text: Type.String({ description: "The text." }) },
  { $id: "DynamicToolText", description: "Text for the model." },
);
export interface DynamicToolText extends Static<typeof DynamicToolText> {}

export const DynamicToolImage = Type.Object(
  {
    type: Type.Literal("inputImage"),
    imageUrl: Type.String({ description: "A `data:` or web URL." }),
  },
  { $id: "DynamicToolImage", description: "A picture for the model." },
);
export interface DynamicToolImage extends Static<typeof DynamicToolImage> {}

/** A part of what the model gets back from a tool of the client. */
export type DynamicToolContent = DynamicToolText | DynamicToolImage;
export const DynamicToolContent = taggedUnion(
  "DynamicToolContent",
  "type",
  [DynamicToolText, DynamicToolImage],
  "A part of what the model gets back from a tool of the client.",
);

export const DynamicToolResponse = Type.Object(
  {
    contentItems: Type.Array(DynamicToolContent, { description: "What the model gets back." }),
    success: Type.Boolean({ description: "Whether the tool did what it was asked." }),
  },
  { $id: "DynamicToolResponse", description: "How a call of a client's tool went." },
);
export interface DynamicToolResponse extends Static<typeof DynamicToolResponse> {
  contentItems: DynamicToolContent[];
}

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

export const ViewImageToolCallEvent = Type.Object(
  {
    type: Type.Literal("view_image_tool_call"),
    call_id: callId,
    path: Type.String({ description: "The picture's file." }),
  },
  { $id: "ViewImageToolCallEvent", description: "The model looks at a picture." },
);
export interface ViewImageToolCallEvent extends Static<typeof ViewImageToolCallEvent> {}

export const WebSearchBeginEvent = Type.Object(
  { type: Type.Literal("web_search_begin"), call_id: callId },
  { $id: "WebSearchBeginEvent", description: "The model searches the web." },
);
export interface WebSearchBeginEvent extends Static<typeof WebSearchBeginEvent> {}

export const WebSearchEndEvent = Type.Object(
  {
    type: Type.Literal("web_search_end"),
    call_id: callId,
    query: Type.String({ description: "What it searched for." }),
    action: described(Type.Optional(WebSearchAction), "What it did."),
  },
  { $id: "WebSearchEndEvent", description: "The model has searched the web." },
);
export interface WebSearchEndEvent extends Static<typeof WebSearchEndEvent> {}
