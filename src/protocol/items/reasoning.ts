import Type, { type Static } from "typebox";
import { Nullish, taggedUnion } from "../schema.js";

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
