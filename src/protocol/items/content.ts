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

export const SummaryText = Type.Object(
  {
    type: Type.Literal("summary_text"),
    text: Type.String({ description: "A part of the summary." }),
  },
  { $id: "SummaryText", description: "A part of the summary of the model's reasoning." },
);
export interface SummaryText extends Static<typeof SummaryText> {}

export const ReasoningText = Type.Object(
  {
    type: Type.Literal("reasoning_text"),
    text: Type.String({ description: "The reasoning itself." }),
  },
  { $id: "ReasoningText", description: "Reasoning of the model, unabridged." },
);
export interface ReasoningText extends Static<typeof ReasoningText> {}

export const PlainReasoningText = Type.Object(
  {
    type: Type.Literal("text"),
    text: Type.String({ description: "The reasoning itself." }),
  },
  { $id: "PlainReasoningText", description: "The same, as some models name it." },
);
export interface PlainReasoningText extends Static<typeof PlainReasoningText> {}

/** A part of the model's unabridged reasoning. */
export type ReasoningContent = ReasoningText | PlainReasoningText;
export const ReasoningContent = taggedUnion(
  "ReasoningContent",
  "type",
  [ReasoningText, PlainReasoningText],
  "A part of the model's unabridged reasoning.",
);

export const ReasoningItem = Type.Object(
  {
    type: Type.Literal("reasoning"),
    id: Type.Optional(Type.String({ description: "The id the model gave it." })),
    summary: Type.Array(SummaryText, { description: "The parts of its summary." }),
    content: Nullish(Type.Array(ReasoningContent), { description: "The reasoning, where told." }),
    encrypted_content: Nullish(Type.String(), {
      description: "The reasoning in a form only the model can read; sent back with the history.",
    }),
  },
  { $id: "ReasoningItem", description: "What the model thought." },
);
export interface ReasoningItem extends Static<typeof ReasoningItem> {}
