import Type, { type Static } from "typebox";
import { itemPlace } from "./fields.js";

const text = Type.String({ description: "The whole text." });
const delta = Type.String({ description: "The next piece of text." });

export const AgentReasoningEvent = Type.Object(
  { type: Type.Literal("agent_reasoning"), text },
  { $id: "AgentReasoningEvent", description: "A part of the reasoning summary, complete." },
);
export interface AgentReasoningEvent extends Static<typeof AgentReasoningEvent> {}

export const AgentReasoningDeltaEvent = Type.Object(
  { type: Type.Literal("agent_reasoning_delta"), delta },
  { $id: "AgentReasoningDeltaEvent", description: "The next piece of the reasoning summary." },
);
export interface AgentReasoningDeltaEvent extends Static<typeof AgentReasoningDeltaEvent> {}

export const AgentReasoningRawContentEvent = Type.Object(
  { type: Type.Literal("agent_reasoning_raw_content"), text },
  { $id: "AgentReasoningRawContentEvent", description: "Reasoning in full, complete." },
);
export interface AgentReasoningRawContentEvent
  extends Static<typeof AgentReasoningRawContentEvent> {}

export const AgentReasoningRawContentDeltaEvent = Type.Object(
  { type: Type.Literal("agent_reasoning_raw_content_delta"), delta },
  {
    $id: "AgentReasoningRawContentDeltaEvent",
    description: "The next piece of the reasoning in full.",
  },
);
export interface AgentReasoningRawContentDeltaEvent
  extends Static<typeof AgentReasoningRawContentDeltaEvent> {}

export const AgentReasoningSectionBreakEvent = Type.Object(
  {
    type: Type.Literal("agent_reasoning_section_break"),
    item_id: Type.Optional(Type.String({ description: "The item it belongs to." })),
    summary_index: Type.Optional(Type.Integer({ description: "Which part begins." })),
  },
  {
    $id: "AgentReasoningSectionBreakEvent",
    description: "A new part of the reasoning summary begins.",
  },
);
export interface AgentReasoningSectionBreakEvent
  extends Static<typeof AgentReasoningSectionBreakEvent> {}

export const ReasoningContentDeltaEvent = Type.Object(
  {
    type: Type.Literal("reasoning_content_delta"),
    ...itemPlace,
    delta,
    summary_index: Type.Optional(Type.Integer({ description: "Which part of the summary." })),
  },
  {
    $id: "ReasoningContentDeltaEvent",
    description: "The next piece of the reasoning summary, with the item it belongs to.",
  },
);
export interface ReasoningContentDeltaEvent extends Static<typeof ReasoningContentDeltaEvent> {}

export const ReasoningRawContentDeltaEvent = Type.Object(
  {
    type: Type.Literal("reasoning_raw_content_delta"),
    ...itemPlace,
    delta,
    content_index: Type.Optional(Type.Integer({ description: "Which part of the reasoning." })),
  },
  {
    $id: "ReasoningRawContentDeltaEvent",
    description: "The next piece of the reasoning in full, with the item it belongs to.",
  },
);
export interface ReasoningRawContentDeltaEvent
  extends Static<typeof ReasoningRawContentDeltaEvent> {}
