import Type, { type Static } from "typebox";
import { ReasoningEffort } from "../../config-types.js";
import { FunctionCallOutput } from "../../items/content.js";
import { allSince, described, Nullable, Nullish, since, taggedUnion } from "../../schema.js";
import {
  AnsweredQuestion,
  AsyncQuestion,
  CollabAgentState,
  HookPromptFragment,
} from "../../sqeq/events/item.js";
import {
  CommandAction,
  CommandExecutionSource,
  CommandExecutionStatus,
  DynamicToolCallOutputContentItem,
  DynamicToolCallStatus,
  FileUpdateChange,
  McpToolCallError,
  McpToolCallResult,
  McpToolCallStatus,
  PatchApplyStatus,
  WebSearchAction,
} from "./item-parts.js";
import { UserInput } from "./user-input.js";

/** Fields of every item besides its type. */
const common = {
  id: Type.String({ description: "Item id." }),
  startedAtMs: since(
    "0.166",
    Nullish(Type.Integer(), {
      description: "Start time in Unix milliseconds, if recorded.",
    }),
  ),
  completedAtMs: since(
    "0.166",
    Nullish(Type.Integer(), {
      description: "Completion time in Unix milliseconds, if recorded.",
    }),
  ),
};
const durationMs = Nullable(Type.Integer(), { description: "Duration." });

export const UserMessageItem = Type.Object(
  {
    type: Type.Literal("userMessage"),
    ...common,
    clientId: since(
      "0.166",
      Nullable(Type.String(), { description: "Message id chosen by the client." }),
    ),
    content: Type.Array(UserInput, { description: "User input." }),
  },
  { $id: "UserMessageItem", description: "A user message." },
);
export interface UserMessageItem extends Static<typeof UserMessageItem> {
  content: UserInput[];
}

export const MessagePhase = Type.Enum(["commentary", "partial_answer", "final_answer"], {
  $id: "MessagePhase",
  description: "Phase of an agent message: commentary, or the final answer.",
});
/** Phase of an agent message: commentary, or the final answer. */
export type MessagePhase = Static<typeof MessagePhase>;

export const AgentMessageItem = Type.Object(
  {
    type: Type.Literal("agentMessage"),
    ...common,
    text: Type.String({ description: "Message text; empty when the item starts." }),
    phase: since("0.166", Nullable(MessagePhase, { description: "Phase of the message." })),
    memoryCitation: since("0.166", Type.Null({ description: "Always null." })),
    delivery: since(
      "0.166",
      Nullable(Type.Literal("async"), {
        description: "`async` if the turn does not wait for an answer.",
      }),
    ),
    questions: since(
      "0.166",
      Nullable(Type.Array(AsyncQuestion), { description: "Questions to the user." }),
    ),
  },
  { $id: "AgentMessageItem", description: "An agent message." },
);
export interface AgentMessageItem extends Static<typeof AgentMessageItem> {}

export const PlanItem = Type.Object(
  { type: Type.Literal("plan"), ...common, text: Type.String({ description: "Plan text." }) },
  { $id: "PlanItem", description: "A plan proposed in plan mode." },
);
export interface PlanItem extends Static<typeof PlanItem> {}

export const ReasoningItem = Type.Object(
  {
    type: Type.Literal("reasoning"),
    ...common,
    summary: Type.Array(Type.String(), { description: "The parts of its summary." }),
    content: Type.Array(Type.String(), { description: "Raw reasoning, if it is shown." }),
  },
  { $id: "ReasoningItem", description: "Reasoning of the model." },
);
export interface ReasoningItem extends Static<typeof ReasoningItem> {}

export const CommandExecutionItem = Type.Object(
  {
    type: Type.Literal("commandExecution"),
    ...common,
    pluginId: since("0.166", Type.Null({ description: "Always null." })),
    scriptPath: since("0.166", Type.Null({ description: "Always null." })),
    command: Type.String({ description: "Command line." }),
    cwd: Type.String({ description: "Working directory." }),
    processId: Nullable(Type.String(), { description: "Id of a long-running process." }),
    source: since("0.166", described(CommandExecutionSource, "Origin of the command.")),
    status: described(CommandExecutionStatus, "Status."),
    commandActions: Type.Array(CommandAction, { description: "Description." }),
    aggregatedOutput: Nullable(Type.String(), {
      description: "Standard output and error; null if empty.",
    }),
    exitCode: Nullable(Type.Integer(), { description: "Exit code; null while the command runs." }),
    durationMs,
  },
  { $id: "CommandExecutionItem", description: "A command execution." },
);
export interface CommandExecutionItem extends Static<typeof CommandExecutionItem> {
  commandActions: CommandAction[];
}

export const FileChangeItem = Type.Object(
  {
    type: Type.Literal("fileChange"),
    ...common,
    changes: Type.Array(FileUpdateChange, { description: "File changes." }),
    status: described(PatchApplyStatus, "Status."),
  },
  { $id: "FileChangeItem", description: "File changes by a patch." },
);
export interface FileChangeItem extends Static<typeof FileChangeItem> {}

export const McpToolCallItem = Type.Object(
  {
    type: Type.Literal("mcpToolCall"),
    ...common,
    server: Type.String({ description: "Name of the server." }),
    tool: Type.String({ description: "Name of the tool." }),
    status: described(McpToolCallStatus, "Status."),
    arguments: Type.Unknown({ description: "Arguments of the tool." }),
    appContext: since("0.166", Type.Null({ description: "Always null." })),
    mcpAppUi: since("0.166", Type.Null({ description: "Always null." })),
    pluginId: since("0.166", Type.Null({ description: "Always null." })),
    readOnlyHint: since(
      "0.166",
      Nullable(Type.Boolean(), {
        description: "`readOnlyHint` annotation of the tool.",
      }),
    ),
    result: Nullable(McpToolCallResult, { description: "Result." }),
    error: Nullable(McpToolCallError, { description: "Error." }),
    durationMs,
  },
  { $id: "McpToolCallItem", description: "An MCP tool call." },
);
export interface McpToolCallItem extends Static<typeof McpToolCallItem> {}

export const DynamicToolCallItem = Type.Object(
  {
    type: Type.Literal("dynamicToolCall"),
    ...common,
    namespace: Nullable(Type.String(), { description: "Namespace of the tool." }),
    tool: Type.String({ description: "Name of the tool." }),
    arguments: Type.Unknown({ description: "Arguments of the tool." }),
    status: described(DynamicToolCallStatus, "Status."),
    contentItems: Nullable(Type.Array(DynamicToolCallOutputContentItem), {
      description: "Result.",
    }),
    success: Nullable(Type.Boolean(), { description: "True if the tool succeeded." }),
    durationMs,
  },
  { $id: "DynamicToolCallItem", description: "A dynamic tool call." },
);
export interface DynamicToolCallItem extends Static<typeof DynamicToolCallItem> {
  contentItems: DynamicToolCallOutputContentItem[] | null;
}

export const WebSearchItem = Type.Object(
  {
    type: Type.Literal("webSearch"),
    ...common,
    query: Type.String({ description: "Search query; empty until known." }),
    action: Nullable(WebSearchAction, { description: "Web action." }),
    results: since(
      "0.166",
      Nullable(Type.Array(Type.Unknown()), { description: "Results, if available." }),
    ),
  },
  { $id: "WebSearchItem", description: "A web search by the model." },
);
export interface WebSearchItem extends Static<typeof WebSearchItem> {
  action: WebSearchAction | null;
}

export const ImageGenerationFailure = Type.Object(
  allSince("0.166", {
    type: Type.Literal("usageLimitExceeded"),
    limitId: Type.String({ description: "Limit that was reached." }),
    resetsAt: Nullable(Type.Integer(), { description: "Unix time at which it is reset." }),
  }),
  { $id: "ImageGenerationFailure", description: "Reason that there is no picture." },
);
export interface ImageGenerationFailure extends Static<typeof ImageGenerationFailure> {}

export const ImageGenerationItem = Type.Object(
  allSince("0.166", {
    type: Type.Literal("imageGeneration"),
    ...common,
    status: Type.String({ description: "Status: `in_progress`, `completed` or one of the model." }),
    revisedPrompt: Nullable(Type.String(), { description: "Prompt that the model used." }),
    failure: Nullable(ImageGenerationFailure, { description: "Always null." }),
    savedPath: Type.Optional(Type.String({ description: "File that the picture was saved to." })),
    generationId: Nullable(Type.String(), { description: "Always null." }),
    result: Type.String({
      description:
        "The picture in base64; empty until it is done, and in recorded turns if it was saved.",
    }),
  }),
  { $id: "ImageGenerationItem", description: "The model generated a picture." },
);
export interface ImageGenerationItem extends Static<typeof ImageGenerationItem> {}

export const ImageViewItem = Type.Object(
  {
    type: Type.Literal("imageView"),
    ...common,
    path: Type.String({ description: "Path of the image." }),
  },
  { $id: "ImageViewItem", description: "The model viewed an image." },
);
export interface ImageViewItem extends Static<typeof ImageViewItem> {}

const review = Type.String({ description: "Review target, or the result of the review." });

export const EnteredReviewModeItem = Type.Object(
  { type: Type.Literal("enteredReviewMode"), ...common, review },
  { $id: "EnteredReviewModeItem", description: "A code review started." },
);
export interface EnteredReviewModeItem extends Static<typeof EnteredReviewModeItem> {}

export const ExitedReviewModeItem = Type.Object(
  { type: Type.Literal("exitedReviewMode"), ...common, review },
  { $id: "ExitedReviewModeItem", description: "A code review ended." },
);
export interface ExitedReviewModeItem extends Static<typeof ExitedReviewModeItem> {}

export const ContextCompactionItem = Type.Object(
  { type: Type.Literal("contextCompaction"), ...common },
  { $id: "ContextCompactionItem", description: "The conversation was replaced with a summary." },
);
export interface ContextCompactionItem extends Static<typeof ContextCompactionItem> {}

export const HookPromptItem = Type.Object(
  allSince("0.166", {
    type: Type.Literal("hookPrompt"),
    ...common,
    fragments: Type.Array(HookPromptFragment, { description: "Texts for the model, by hook." }),
  }),
  { $id: "HookPromptItem", description: "A `Stop` hook let the turn continue." },
);
export interface HookPromptItem extends Static<typeof HookPromptItem> {}

export const SubAgentActivityItem = Type.Object(
  allSince("0.166", {
    type: Type.Literal("subAgentActivity"),
    ...common,
    kind: Type.Enum(["started", "interacted", "interrupted", "completed"], {
      description: "Activity.",
    }),
    agentThreadId: Type.String({ description: "Thread of the agent." }),
    agentPath: Type.String({ description: "Path of the agent, such as `/root/tests`." }),
    model: Nullable(Type.String(), { description: "Model of an agent that was started." }),
    reasoningEffort: Nullable(ReasoningEffort, { description: "Its reasoning effort." }),
  }),
  { $id: "SubAgentActivityItem", description: "Activity of a helper agent." },
);
export interface SubAgentActivityItem extends Static<typeof SubAgentActivityItem> {}

export const CollabAgentToolCallItem = Type.Object(
  allSince("0.166", {
    type: Type.Literal("collabAgentToolCall"),
    ...common,
    tool: Type.Enum(["spawnAgent", "sendInput", "resumeAgent", "wait", "closeAgent"], {
      description: "Tool that the model called.",
    }),
    status: Type.Enum(["inProgress", "completed", "failed"], { description: "Status." }),
    senderThreadId: Type.String({ description: "Thread of the agent that called it." }),
    receiverThreadIds: Type.Array(Type.String(), { description: "Threads it is about." }),
    prompt: Nullable(Type.String(), { description: "Text for the agent." }),
    model: Nullable(Type.String(), { description: "Model of the agent." }),
    reasoningEffort: Nullable(ReasoningEffort, { description: "Its reasoning effort." }),
    agentsStates: Type.Record(Type.String(), CollabAgentState, {
      description: "States of the agents, by thread.",
    }),
  }),
  { $id: "CollabAgentToolCallItem", description: "The model used a helper agent." },
);
export interface CollabAgentToolCallItem extends Static<typeof CollabAgentToolCallItem> {}

export const SleepItem = Type.Object(
  allSince("0.166", {
    type: Type.Literal("sleep"),
    ...common,
    durationMs: Type.Integer({ description: "Requested duration." }),
  }),
  { $id: "SleepItem", description: "The model waits." },
);
export interface SleepItem extends Static<typeof SleepItem> {}

export const FunctionCallOutputThreadItem = Type.Object(
  allSince("0.166", {
    type: Type.Literal("functionCallOutput"),
    ...common,
    name: Type.String({ description: "Name of the tool." }),
    namespace: Nullable(Type.String(), { description: "Namespace of the tool." }),
    output: described(FunctionCallOutput, "Its output."),
  }),
  {
    $id: "FunctionCallOutputThreadItem",
    description: "Output of a tool of the client, sent with `turn/start.toolOutput`.",
  },
);
export interface FunctionCallOutputThreadItem extends Static<typeof FunctionCallOutputThreadItem> {}

export const AnsweredQuestionsItem = Type.Object(
  allSince("current", {
    type: Type.Literal("answeredQuestions"),
    ...common,
    questions: Type.Array(AnsweredQuestion, { description: "Questions with their answers." }),
  }),
  { $id: "AnsweredQuestionsItem", description: "The user answered questions of the model." },
);
export interface AnsweredQuestionsItem extends Static<typeof AnsweredQuestionsItem> {}

/** An item of a turn, as clients display it. */
export type ThreadItem =
  | UserMessageItem
  | AgentMessageItem
  | PlanItem
  | ReasoningItem
  | CommandExecutionItem
  | FileChangeItem
  | McpToolCallItem
  | DynamicToolCallItem
  | WebSearchItem
  | ImageViewItem
  | ImageGenerationItem
  | EnteredReviewModeItem
  | ExitedReviewModeItem
  | ContextCompactionItem
  | HookPromptItem
  | SubAgentActivityItem
  | CollabAgentToolCallItem
  | SleepItem
  | FunctionCallOutputThreadItem
  | AnsweredQuestionsItem;
export const ThreadItem = taggedUnion(
  "ThreadItem",
  "type",
  [
    UserMessageItem,
    AgentMessageItem,
    PlanItem,
    ReasoningItem,
    CommandExecutionItem,
    FileChangeItem,
    McpToolCallItem,
    since("0.166", DynamicToolCallItem),
    WebSearchItem,
    ImageViewItem,
    since("0.166", ImageGenerationItem),
    EnteredReviewModeItem,
    ExitedReviewModeItem,
    ContextCompactionItem,
    since("0.166", HookPromptItem),
    since("0.166", SubAgentActivityItem),
    since("0.166", CollabAgentToolCallItem),
    since("0.166", SleepItem),
    since("0.166", FunctionCallOutputThreadItem),
    since("current", AnsweredQuestionsItem),
  ],
  "An item of a turn, as clients display it.",
);
