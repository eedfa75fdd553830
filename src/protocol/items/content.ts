import Type, { type Static } from "typebox";
import { Nullish, taggedUnion } from "../schema.js";

export const InputTextContent = Type.Object(
  {
    type: Type.Literal("input_text"),
    text: Type.String({ description: "The text." }),
  },
  { $id: "InputTextContent", description: "Text given to the model." },
);
export interface InputTextContent extends Static<typeof InputTextContent> {}

export const InputImageContent = Type.Object(
  {
    type: Type.Literal("input_image"),
    image_url: Type.String({ description: "A `data:` or web URL." }),
    detail: Nullish(Type.String(), { description: "How closely the model is to look." }),
  },
  { $id: "InputImageContent", description: "A picture given to the model." },
);
export interface InputImageContent extends Static<typeof InputImageContent> {}

export const OutputTextContent = Type.Object(
  {
    type: Type.Literal("output_text"),
    text: Type.String({ description: "The text." }),
  },
  { $id: "OutputTextContent", description: "Text the model wrote." },
);
export interface OutputTextContent extends Static<typeof OutputTextContent> {}

/** A part of a message to or from the model. */
export type ContentItem = InputTextContent | InputImageContent | OutputTextContent;
export const ContentItem = taggedUnion(
  "ContentItem",
  "type",
  [InputTextContent, InputImageContent, OutputTextContent],
  "A part of a message to or from the model.",
);

/** A part of a tool's answer, where it is more than text. */
export type ToolOutputContent = InputTextContent | InputImageContent;
export const ToolOutputContent = taggedUnion(
  "ToolOutputContent",
  "type",
  [InputTextContent, InputImageContent],
  "A part of a tool's answer, where it is more than text.",
);

export const FunctionCallOutput = Type.Union([Type.String(), Type.Array(ToolOutputContent)], {
  $id: "FunctionCallOutput",
  description: "What a tool answered: text, or parts when there are pictures in it.",
});
/** What a tool answered: text, or parts when there are pictures in it. */
export type FunctionCallOutput = string | ToolOutputContent[];
