import Type, { type Static } from "typebox";
import { generatedImage } from "../../items/image-generation.js";
import { WebSearchAction } from "../../items/web-search.js";
import { described, Nullish, since, taggedUnion, until } from "../../schema.js";
import { callId } from "./fields.js";

export const DynamicTool = Type.Object(
  {
    name: Type.String({ description: "Name of the tool." }),
    description: Type.String({ description: "Description for the model." }),
    inputSchema: Type.Unknown({ description: "JSON Schema of the arguments." }),
    namespace: Type.Optional(
      Type.String({ description: "Namespace; names are unique within it." }),
    ),
    namespaceDescription: Type.Optional(
      Type.String({ description: "Description of the namespace for the model." }),
    ),
    deferLoading: Type.Optional(
      Type.Boolean({ description: "Offers the tool only when the model searches for tools." }),
    ),
  },
  { $id: "DynamicTool", description: "A dynamic tool, which the client runs." },
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
  { $id: "DynamicToolImage", description: "An image for the model." },
);
export interface DynamicToolImage extends Static<typeof DynamicToolImage> {}

/** A content part of a dynamic tool result. */
export type DynamicToolContent = DynamicToolText | DynamicToolImage;
export const DynamicToolContent = taggedUnion(
  "DynamicToolContent",
  "type",
  [DynamicToolText, DynamicToolImage],
  "A content part of a dynamic tool result.",
);

export const DynamicToolResponse = Type.Object(
  {
    contentItems: Type.Array(DynamicToolContent, { description: "Content for the model." }),
    success: Type.Boolean({ description: "True if the tool succeeded." }),
  },
  { $id: "DynamicToolResponse", description: "Result of a dynamic tool call." },
);
export interface DynamicToolResponse extends Static<typeof DynamicToolResponse> {
  contentItems: DynamicToolContent[];
}

const call = {
  callId: Type.String({ description: "Tool call id." }),
  turnId: Type.String({ description: "Turn id." }),
  tool: Type.String({ description: "Name of the tool." }),
  namespace: Nullish(Type.String(), { description: "Namespace of the tool, if any." }),
  arguments: Type.Unknown({ description: "Arguments from the model." }),
};

export const DynamicToolCallRequestEvent = Type.Object(
  { type: Type.Literal("dynamic_tool_call_request"), ...call },
  {
    $id: "DynamicToolCallRequestEvent",
    description:
      "Requests that the client runs a dynamic tool. Answered by `dynamic_tool_response`.",
  },
);
export interface DynamicToolCallRequestEvent extends Static<typeof DynamicToolCallRequestEvent> {}

export const DynamicToolCallResponseEvent = since(
  "current",
  Type.Object(
    {
      type: Type.Literal("dynamic_tool_call_response"),
      ...call,
      contentItems: Type.Array(DynamicToolContent, { description: "Content for the model." }),
      success: Type.Boolean({ description: "True if the tool succeeded." }),
      durationMs: Type.Integer({ description: "Duration in milliseconds." }),
    },
    { $id: "DynamicToolCallResponseEvent", description: "A dynamic tool call ended." },
  ),
);
export interface DynamicToolCallResponseEvent extends Static<typeof DynamicToolCallResponseEvent> {
  contentItems: DynamicToolContent[];
}

export const ViewImageToolCallEvent = since(
  "0.104",
  Type.Object(
    {
      type: Type.Literal("view_image_tool_call"),
      call_id: callId,
      path: Type.String({ description: "Path of the image." }),
    },
    { $id: "ViewImageToolCallEvent", description: "The model viewed an image." },
  ),
);
export interface ViewImageToolCallEvent extends Static<typeof ViewImageToolCallEvent> {}

export const ImageGenerationBeginEvent = since(
  "0.166",
  Type.Object(
    { type: Type.Literal("image_generation_begin"), call_id: callId },
    {
      $id: "ImageGenerationBeginEvent",
      description: "The model started to generate a picture.",
    },
  ),
);
export interface ImageGenerationBeginEvent extends Static<typeof ImageGenerationBeginEvent> {}

export const ImageGenerationEndEvent = since(
  "0.166",
  Type.Object(
    { type: Type.Literal("image_generation_end"), call_id: callId, ...generatedImage },
    { $id: "ImageGenerationEndEvent", description: "The model generated a picture." },
  ),
);
export interface ImageGenerationEndEvent extends Static<typeof ImageGenerationEndEvent> {}

export const WebSearchBeginEvent = Type.Object(
  { type: Type.Literal("web_search_begin"), call_id: callId },
  { $id: "WebSearchBeginEvent", description: "A web search started." },
);
export interface WebSearchBeginEvent extends Static<typeof WebSearchBeginEvent> {}

export const WebSearchEndEvent = Type.Object(
  {
    type: Type.Literal("web_search_end"),
    call_id: callId,
    query: Type.String({ description: "Search query." }),
    action: since(
      "0.104",
      until("0.166", described(Type.Optional(WebSearchAction), "Web action.")),
    ),
  },
  { $id: "WebSearchEndEvent", description: "A web search ended." },
);
export interface WebSearchEndEvent extends Static<typeof WebSearchEndEvent> {}
