import Type, { type Static } from "typebox";
import { taggedUnion } from "./schema.js";

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
