import Type, { type Static, type TSchema } from "typebox";
import { ReasoningEffort } from "../../config-types.js";
import { FunctionCallOutput } from "../../items/content.js";
import { generatedImage } from "../../items/image-generation.js";
import { InputItem } from "../../items/input.js";
import { ResponseItem } from "../../items/response.js";
import { WebSearchAction } from "../../items/web-search.js";
import {
  allSince,
  described,
  Nullable,
  Nullish,
  onRequest,
  since,
  taggedUnion,
} from "../../schema.js";

const id = Type.String({ description: "Item id." });

export const UserMessageTurnItem = Type.Object(
  {
    type: Type.Literal("UserMessage"),
    id,
    content: Type.Array(InputItem, { description: "User input." }),
    client_id: Type.Optional(Type.String({ description: "The client's own id of the message." })),
  },
  { $id: "UserMessageTurnItem", description: "A user message." },
);
export interface UserMessageTurnItem extends Static<typeof UserMessageTurnItem> {}

export const AgentMessageText = Type.Object(
  {
    type: Type.Literal("Text"),
    text: Type.String({ description: "The text." }),
  },
  { $id: "AgentMessageText", description: "A content part of an agent message." },
);
export interface AgentMessageText extends Static<typeof AgentMessageText> {}

export const AsyncQuestion = Type.Object(
  allSince("0.166", {
    title: Type.String({ description: "The question." }),
    options: Nullable(Type.Array(Type.String()), { description: "Suggested answers." }),
  }),
  { $id: "AsyncQuestion", description: "A question that the turn does not wait for." },
);
export interface AsyncQuestion extends Static<typeof AsyncQuestion> {}

export const AgentMessageTurnItem = Type.Object(
  {
    type: Type.Literal("AgentMessage"),
    id,
    content: Type.Array(AgentMessageText, { description: "Content parts." }),
    phase: Type.Optional(
      Type.String({ description: "Phase of the turn, if the model reports it." }),
    ),
    delivery: since(
      "0.166",
      Type.Optional(
        Type.Literal("async", { description: "Set if the turn does not wait for an answer." }),
      ),
    ),
    questions: since(
      "0.166",
      Type.Optional(Type.Array(AsyncQuestion, { description: "Questions to the user." })),
    ),
  },
  { $id: "AgentMessageTurnItem", description: "An agent message." },
);
export interface AgentMessageTurnItem extends Static<typeof AgentMessageTurnItem> {}

export const PlanTurnItem = Type.Object(
  {
    type: Type.Literal("Plan"),
    id,
    text: Type.String({ description: "Plan text." }),
  },
  { $id: "PlanTurnItem", description: "A plan proposed in plan mode." },
);
export interface PlanTurnItem extends Static<typeof PlanTurnItem> {}

export const ReasoningTurnItem = Type.Object(
  {
    type: Type.Literal("Reasoning"),
    id,
    summary_text: Type.Array(Type.String(), { description: "Summary parts." }),
    raw_content: Type.Optional(
      Type.Array(Type.String(), { description: "Raw reasoning, if it is shown." }),
    ),
  },
  { $id: "ReasoningTurnItem", description: "Reasoning of the model." },
);
export interface ReasoningTurnItem extends Static<typeof ReasoningTurnItem> {}

export const WebSearchTurnItem = Type.Object(
  {
    type: Type.Literal("WebSearch"),
    id,
    query: Type.String({ description: "Search query; empty until known." }),
    action: described(Type.Optional(WebSearchAction), "Web action."),
  },
  { $id: "WebSearchTurnItem", description: "A web search by the model." },
);
export interface WebSearchTurnItem extends Static<typeof WebSearchTurnItem> {}

export const ImageGenerationTurnItem = Type.Object(
  allSince("0.166", {
    type: Type.Literal("ImageGeneration"),
    id,
    ...generatedImage,
  }),
  { $id: "ImageGenerationTurnItem", description: "The model generated a picture." },
);
export interface ImageGenerationTurnItem extends Static<typeof ImageGenerationTurnItem> {}

export const ContextCompactionTurnItem = Type.Object(
  { type: Type.Literal("ContextCompaction"), id },
  { $id: "ContextCompactionTurnItem", description: "The conversation was compacted." },
);
export interface ContextCompactionTurnItem extends Static<typeof ContextCompactionTurnItem> {}

export const HookPromptFragment = Type.Object(
  allSince("0.166", {
    text: Type.String({ description: "Text of the hook for the model." }),
    hookRunId: Type.String({ description: "Id of the run that wrote it." }),
  }),
  { $id: "HookPromptFragment", description: "A text with which a hook continues a turn." },
);
export interface HookPromptFragment extends Static<typeof HookPromptFragment> {}

export const HookPromptTurnItem = Type.Object(
  allSince("0.166", {
    type: Type.Literal("HookPrompt"),
    id,
    fragments: Type.Array(HookPromptFragment, { description: "Texts, by hook." }),
  }),
  { $id: "HookPromptTurnItem", description: "A hook let the turn continue." },
);
export interface HookPromptTurnItem extends Static<typeof HookPromptTurnItem> {}

export const SubAgentActivityTurnItem = Type.Object(
  allSince("0.166", {
    type: Type.Literal("SubAgentActivity"),
    id,
    kind: Type.Enum(["started", "interacted", "interrupted", "completed"], {
      description: "Activity.",
    }),
    agent_thread_id: Type.String({ description: "Thread of the agent." }),
    agent_path: Type.String({ description: "Path of the agent, such as `/root/tests`." }),
    model: Nullish(Type.String(), { description: "Model of an agent that was started." }),
    reasoning_effort: Nullish(ReasoningEffort, { description: "Its reasoning effort." }),
  }),
  { $id: "SubAgentActivityTurnItem", description: "Activity of a helper agent." },
);
export interface SubAgentActivityTurnItem extends Static<typeof SubAgentActivityTurnItem> {}

export const CollabAgentState = Type.Object(
  allSince("0.166", {
    status: Type.Enum(
      ["pendingInit", "running", "interrupted", "completed", "errored", "shutdown", "notFound"],
      { description: "Status of the agent." },
    ),
    message: Nullable(Type.String(), { description: "Its answer or error." }),
  }),
  { $id: "CollabAgentState", description: "State of a helper agent." },
);
export interface CollabAgentState extends Static<typeof CollabAgentState> {}

export const CollabAgentToolCallTurnItem = Type.Object(
  allSince("0.166", {
    type: Type.Literal("CollabAgentToolCall"),
    id,
    tool: Type.Enum(["spawnAgent", "sendInput", "resumeAgent", "wait", "closeAgent"], {
      description: "Tool that the model called.",
    }),
    status: Type.Enum(["inProgress", "completed", "failed"], { description: "Status." }),
    sender_thread_id: Type.String({ description: "Thread of the agent that called it." }),
    receiver_thread_ids: Type.Array(Type.String(), { description: "Threads it is about." }),
    prompt: Nullish(Type.String(), { description: "Text for the agent." }),
    model: Nullish(Type.String(), { description: "Model of the agent." }),
    reasoning_effort: Nullish(ReasoningEffort, { description: "Its reasoning effort." }),
    agents_states: Type.Record(Type.String(), CollabAgentState, {
      description: "States of the agents, by thread.",
    }),
  }),
  { $id: "CollabAgentToolCallTurnItem", description: "The model used a helper agent." },
);
export interface CollabAgentToolCallTurnItem extends Static<typeof CollabAgentToolCallTurnItem> {}

export const SleepTurnItem = Type.Object(
  allSince("0.166", {
    type: Type.Literal("Sleep"),
    id,
    duration_ms: Type.Integer({ description: "Requested duration." }),
  }),
  { $id: "SleepTurnItem", description: "The model waits." },
);
export interface SleepTurnItem extends Static<typeof SleepTurnItem> {}

export const FunctionCallOutputTurnItem = Type.Object(
  allSince("0.166", {
    type: Type.Literal("FunctionCallOutput"),
    id,
    name: Type.String({ description: "Name of the tool." }),
    namespace: Nullish(Type.String(), { description: "Namespace of the tool." }),
    output: described(FunctionCallOutput, "Its output."),
  }),
  {
    $id: "FunctionCallOutputTurnItem",
    description: "Output of a tool of the client that the model did not call.",
  },
);
export interface FunctionCallOutputTurnItem extends Static<typeof FunctionCallOutputTurnItem> {}

export const AnsweredQuestion = Type.Object(
  allSince("current", {
    header: Type.String({ description: "Short title." }),
    question: Type.String({ description: "Question text." }),
    answers: Type.Array(Type.String(), {
      description: "Chosen options, typed text and notes; empty if the user skipped it.",
    }),
  }),
  { $id: "AnsweredQuestion", description: "A question of the model and the answer to it." },
);
export interface AnsweredQuestion extends Static<typeof AnsweredQuestion> {}

export const AnsweredQuestionsTurnItem = Type.Object(
  allSince("current", {
    type: Type.Literal("AnsweredQuestions"),
    id,
    questions: Type.Array(AnsweredQuestion, { description: "Questions with their answers." }),
  }),
  { $id: "AnsweredQuestionsTurnItem", description: "The user answered questions of the model." },
);
export interface AnsweredQuestionsTurnItem extends Static<typeof AnsweredQuestionsTurnItem> {}

/** An item of a turn, as clients display it. */
export type TurnItem =
  | UserMessageTurnItem
  | AgentMessageTurnItem
  | PlanTurnItem
  | ReasoningTurnItem
  | WebSearchTurnItem
  | ImageGenerationTurnItem
  | ContextCompactionTurnItem
  | HookPromptTurnItem
  | SubAgentActivityTurnItem
  | CollabAgentToolCallTurnItem
  | SleepTurnItem
  | FunctionCallOutputTurnItem
  | AnsweredQuestionsTurnItem;
/** An item that our newest form reports by other events, unless the client requests all events. */
const itemOf2026 = <T extends TSchema>(schema: T): T =>
  since("0.104", onRequest("current", schema));

export const TurnItem = taggedUnion(
  "TurnItem",
  "type",
  [
    itemOf2026(UserMessageTurnItem),
    itemOf2026(AgentMessageTurnItem),
    PlanTurnItem,
    itemOf2026(ReasoningTurnItem),
    itemOf2026(WebSearchTurnItem),
    since("0.166", onRequest("current", ImageGenerationTurnItem)),
    itemOf2026(ContextCompactionTurnItem),
    since("0.166", HookPromptTurnItem),
    since("0.166", SubAgentActivityTurnItem),
    since("0.166", CollabAgentToolCallTurnItem),
    since("0.166", SleepTurnItem),
    since("0.166", FunctionCallOutputTurnItem),
    since("current", onRequest("current", AnsweredQuestionsTurnItem)),
  ],
  "An item of a turn, as clients display it.",
);

const place = {
  thread_id: Type.String({ description: "Thread id." }),
  turn_id: Type.String({ description: "Turn id." }),
};

export const ItemStartedEvent = Type.Object(
  {
    type: Type.Literal("item_started"),
    ...place,
    item: described(TurnItem, "The item in its initial state."),
  },
  { $id: "ItemStartedEvent", description: "An item of the turn started." },
);
export interface ItemStartedEvent extends Static<typeof ItemStartedEvent> {
  item: TurnItem;
}

export const RawResponseItemEvent = Type.Object(
  {
    type: Type.Literal("raw_response_item"),
    item: described(ResponseItem, "The raw response item."),
  },
  { $id: "RawResponseItemEvent", description: "An item was added to the model conversation." },
);
export interface RawResponseItemEvent extends Static<typeof RawResponseItemEvent> {
  item: ResponseItem;
}

export const ItemCompletedEvent = Type.Object(
  {
    type: Type.Literal("item_completed"),
    ...place,
    item: described(TurnItem, "The completed item."),
  },
  { $id: "ItemCompletedEvent", description: "An item of the turn is complete." },
);
export interface ItemCompletedEvent extends Static<typeof ItemCompletedEvent> {
  item: TurnItem;
}
