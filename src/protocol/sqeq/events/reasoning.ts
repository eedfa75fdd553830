import Type, { type Static } from "typebox";
import { since } from "../../schema.js";
import { itemPlace } from "./fields.js";

const text = Type.String({ description: "Full text." });
const delta = Type.String({ description: "Text to append." });

export const AgentReasoningEvent = Type.Object(
  { type: Type.Literal("agent_reasoning"), text },
  { $id: "AgentReasoningEvent", description: "A complete part of the reasoning summary." },
);
export interface AgentReasoningEvent extends Static<typeof AgentReasoningEvent> {}

export const AgentReasoningDeltaEvent = Type.Object(
  { type: Type.Literal("agent_reasoning_delta"), delta },
  { $id: "AgentReasoningDeltaEvent", description: "The next text of the reasoning summary." },
);
export interface AgentReasoningDeltaEvent extends Static<typeof AgentReasoningDeltaEvent> {}

export const AgentReasoningRawContentEvent = Type.Object(
  { type: Type.Literal("agent_reasoning_raw_content"), text },
  { $id: "AgentReasoningRawContentEvent", description: "Complete raw reasoning." },
);
export interface AgentReasoningRawContentEvent
  extends Static<typeof AgentReasoningRawContentEvent> {}

export const AgentReasoningRawContentDeltaEvent = Type.Object(
  { type: Type.Literal("agent_reasoning_raw_content_delta"), delta },
  {
    $id: "AgentReasoningRawContentDeltaEvent",
    description: "The next text of the raw reasoning.",
  },
);
export interface AgentReasoningRawContentDeltaEvent
  extends Static<typeof AgentReasoningRawContentDeltaEvent> {}

export const AgentReasoningSectionBreakEvent = Type.Object(
  {
    type: Type.Literal("agent_reasoning_section_break"),
    item_id: since("0.104", Type.Optional(Type.String({ description: "Item id." }))),
    summary_index: since(
      "0.104",
      Type.Optional(Type.Integer({ description: "Index of the new part." })),
    ),
  },
  {
    $id: "AgentReasoningSectionBreakEvent",
    description: "A new part of the reasoning summary starts.",
  },
);
export interface AgentReasoningSectionBreakEvent
  extends Static<typeof AgentReasoningSectionBreakEvent> {}

export const ReasoningContentDeltaEvent = Type.Object(
  {
    type: Type.Literal("reasoning_content_delta"),
    ...itemPlace,
    delta,
    summary_index: Type.Optional(Type.Integer({ description: "Index of the summary part." })),
  },
  {
    $id: "ReasoningContentDeltaEvent",
    description: "The next text of the reasoning summary, with its item.",
  },
);
export interface ReasoningContentDeltaEvent extends Static<typeof ReasoningContentDeltaEvent> {}

export const ReasoningRawContentDeltaEvent = Type.Object(
  {
    type: Type.Literal("reasoning_raw_content_delta"),
    ...itemPlace,
    delta,
    content_index: Type.Optional(Type.Integer({ description: "Index of the reasoning part." })),
  },
  {
    $id: "ReasoningRawContentDeltaEvent",
    description: "The next text of the raw reasoning, with its item.",
  },
);
export interface ReasoningRawContentDeltaEvent
  extends Static<typeof ReasoningRawContentDeltaEvent> {}
