import Type, { type Static } from "typebox";
import { Nullish, taggedUnion } from "../schema.js";

export const InputTextContent = Type.Object(
  {
    type: Type.Literal("input_text"),
    text: Type.String({ description: "The text." }),
  },
  { $id: "InputTextContent", description: "Text for the model." },
);
export interface InputTextContent extends Static<typeof InputTextContent> {}

export const InputImageContent = Type.Object(
  {
    type: Type.Literal("input_image"),
    image_url: Type.String({ description: "A `data:` or web URL." }),
    detail: Nullish(Type.String(), { description: "Image detail." }),
  },
  { $id: "InputImageContent", description: "An image for the model." },
);
export interface InputImageContent extends Static<typeof InputImageContent> {}

export const OutputTextContent = Type.Object(
  {
    type: Type.Literal("output_text"),
    text: Type.String({ description: "The text." }),
  },
  { $id: "OutputTextContent", description: "Text from the model." },
);
export interface OutputTextContent extends Static<typeof OutputTextContent> {}

/** A content part of a message to or from the model. */
export type ContentItem = InputTextContent | InputImageContent | OutputTextContent;
export const ContentItem = taggedUnion(
  "ContentItem",
  "type",
  [InputTextContent, InputImageContent, OutputTextContent],
  "A content part of a message to or from the model.",
);

/** A content part of a tool output. */
export type ToolOutputContent = InputTextContent | InputImageContent;
export const ToolOutputContent = taggedUnion(
  "ToolOutputContent",
  "type",
  [InputTextContent, InputImageContent],
  "A content part of a tool output.",
);

export const FunctionCallOutput = Type.Union([Type.String(), Type.Array(ToolOutputContent)], {
  $id: "FunctionCallOutput",
  description: "Output of a tool: text, or content parts if it includes images.",
});
/** Output of a tool: text, or content parts if it includes images. */
export type FunctionCallOutput = string | ToolOutputContent[];

export const SummaryText = Type.Object(
  {
    type: Type.Literal("summary_text"),
    text: Type.String({ description: "Text of the summary part." }),
  },
  { $id: "SummaryText", description: "A part of the reasoning summary." },
);
export interface SummaryText extends Static<typeof SummaryText> {}

export const ReasoningText = Type.Object(
  {
    type: Type.Literal("reasoning_text"),
    text: Type.String({ description: "Reasoning text." }),
  },
  { $id: "ReasoningText", description: "Raw reasoning of the model." },
);
export interface ReasoningText extends Static<typeof ReasoningText> {}

export const PlainReasoningText = Type.Object(
  {
    type: Type.Literal("text"),
    text: Type.String({ description: "Reasoning text." }),
  },
  { $id: "PlainReasoningText", description: "Raw reasoning, under the type that some models use." },
);
export interface PlainReasoningText extends Static<typeof PlainReasoningText> {}

/** A part of the raw reasoning. */
export type ReasoningContent = ReasoningText | PlainReasoningText;
export const ReasoningContent = taggedUnion(
  "ReasoningContent",
  "type",
  [ReasoningText, PlainReasoningText],
  "A part of the raw reasoning.",
);

export const ReasoningItem = Type.Object(
  {
    type: Type.Literal("reasoning"),
    id: Type.Optional(Type.String({ description: "Id assigned by the model." })),
    summary: Type.Array(SummaryText, { description: "The parts of its summary." }),
    content: Nullish(Type.Array(ReasoningContent), {
      description: "Raw reasoning, if the model returns it.",
    }),
    encrypted_content: Nullish(Type.String(), {
      description: "Encrypted reasoning; sent back to the model with the history.",
    }),
  },
  { $id: "ReasoningItem", description: "Reasoning of the model." },
);
export interface ReasoningItem extends Static<typeof ReasoningItem> {}
