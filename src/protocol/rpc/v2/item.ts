import Type, { type Static } from "typebox";
import { described, Nullable, Nullish, taggedUnion } from "../../schema.js";
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

/** What every item has besides its type. */
const common = {
  id: Type.String({ description: "Names the item in all messages about it." }),
  startedAtMs: Nullish(Type.Integer(), { description: "When it began, if that is recorded." }),
  completedAtMs: Nullish(Type.Integer(), { description: "When it was complete, if recorded." }),
};
const durationMs = Nullable(Type.Integer(), { description: "How long it took." });

export const UserMessageItem = Type.Object(
  {
    type: Type.Literal("userMessage"),
    ...common,
    clientId: Nullable(Type.String(), { description: "The name its client gave it." }),
    content: Type.Array(UserInput, { description: "What the user said." }),
  },
  { $id: "UserMessageItem", description: "A message of the user." },
);
export interface UserMessageItem extends Static<typeof UserMessageItem> {
  content: UserInput[];
}

export const MessagePhase = Type.Enum(["commentary", "partial_answer", "final_answer"], {
  $id: "MessagePhase",
  description: "Whether a message stands on the way or at the end of a turn.",
});
/** Whether a message stands on the way or at the end of a turn. */
export type MessagePhase = Static<typeof MessagePhase>;

export const AgentMessageItem = Type.Object(
  {
    type: Type.Literal("agentMessage"),
    ...common,
    text: Type.String({ description: "The message; empty while it begins." }),
    phase: Nullable(MessagePhase, { description: "Where in the turn it stands." }),
    memoryCitation: Type.Null({ description: "Always null: there is no memory to cite." }),
    delivery: Type.Null({ description: "Always null: messages come in their turn." }),
    questions: Type.Null({ description: "Always null: questions are asked by requests." }),
  },
  { $id: "AgentMessageItem", description: "A message of the model." },
);
export interface AgentMessageItem extends Static<typeof AgentMessageItem> {}

export const PlanItem = Type.Object(
  { type: Type.Literal("plan"), ...common, text: Type.String({ description: "The plan." }) },
  { $id: "PlanItem", description: "A plan that the model proposes in plan mode." },
);
export interface PlanItem extends Static<typeof PlanItem> {}

export const ReasoningItem = Type.Object(
  {
    type: Type.Literal("reasoning"),
    ...common,
    summary: Type.Array(Type.String(), { description: "The parts of its summary." }),
    content: Type.Array(Type.String(), { description: "The reasoning itself, where it is shown." }),
  },
  { $id: "ReasoningItem", description: "Reasoning of the model." },
);
export interface ReasoningItem extends Static<typeof ReasoningItem> {}

export const CommandExecutionItem = Type.Object(
  {
    type: Type.Literal("commandExecution"),
    ...common,
    pluginId: Type.Null({ description: "Always null: there are no plugins." }),
    scriptPath: Type.Null({ description: "Always null: there are no plugins." }),
    command: Type.String({ description: "The command as one would type it." }),
    cwd: Type.String({ description: "Where it runs." }),
    processId: Nullable(Type.String(), { description: "Names a process that goes on." }),
    source: described(CommandExecutionSource, "Who runs it."),
    status: described(CommandExecutionStatus, "How far it has come."),
    commandActions: Type.Array(CommandAction, { description: "What it does." }),
    aggregatedOutput: Nullable(Type.String(), { description: "All it wrote; null if nothing." }),
    exitCode: Nullable(Type.Integer(), { description: "Its exit code, when it has ended." }),
    durationMs,
  },
  { $id: "CommandExecutionItem", description: "A command." },
);
export interface CommandExecutionItem extends Static<typeof CommandExecutionItem> {
  commandActions: CommandAction[];
}

export const FileChangeItem = Type.Object(
  {
    type: Type.Literal("fileChange"),
    ...common,
    changes: Type.Array(FileUpdateChange, { description: "The files and their changes." }),
    status: described(PatchApplyStatus, "How far it has come."),
  },
  { $id: "FileChangeItem", description: "A change of files by a patch." },
);
export interface FileChangeItem extends Static<typeof FileChangeItem> {}

export const McpToolCallItem = Type.Object(
  {
    type: Type.Literal("mcpToolCall"),
    ...common,
    server: Type.String({ description: "The server." }),
    tool: Type.String({ description: "Its tool." }),
    status: described(McpToolCallStatus, "How far it has come."),
    arguments: Type.Unknown({ description: "What the tool is given." }),
    appContext: Type.Null({ description: "Always null: there are no apps." }),
    mcpAppUi: Type.Null({ description: "Always null: there are no apps." }),
    pluginId: Type.Null({ description: "Always null: there are no plugins." }),
    readOnlyHint: Nullable(Type.Boolean(), { description: "Whether the tool says it only reads." }),
    result: Nullable(McpToolCallResult, { description: "What it answered." }),
    error: Nullable(McpToolCallError, { description: "Why it could not be called." }),
    durationMs,
  },
  { $id: "McpToolCallItem", description: "A call of a tool of an MCP server." },
);
export interface McpToolCallItem extends Static<typeof McpToolCallItem> {}

export const DynamicToolCallItem = Type.Object(
  {
    type: Type.Literal("dynamicToolCall"),
    ...common,
    namespace: Nullable(Type.String(), { description: "The group its tool is in." }),
    tool: Type.String({ description: "The tool." }),
    arguments: Type.Unknown({ description: "What the tool is given." }),
    status: described(DynamicToolCallStatus, "How far it has come."),
    contentItems: Nullable(Type.Array(DynamicToolCallOutputContentItem), {
      description: "What it answered.",
    }),
    success: Nullable(Type.Boolean(), { description: "Whether it did what it should." }),
    durationMs,
  },
  { $id: "DynamicToolCallItem", description: "A call of a tool that a client brought along." },
);
export interface DynamicToolCallItem extends Static<typeof DynamicToolCallItem> {
  contentItems: DynamicToolCallOutputContentItem[] | null;
}

export const WebSearchItem = Type.Object(
  {
    type: Type.Literal("webSearch"),
    ...common,
    query: Type.String({ description: "What is searched for; empty until it is known." }),
    action: Nullable(WebSearchAction, { description: "What is done." }),
    results: Nullable(Type.Array(Type.Unknown()), { description: "What was found, if told." }),
  },
  { $id: "WebSearchItem", description: "A web search of the model." },
);
export interface WebSearchItem extends Static<typeof WebSearchItem> {
  action: WebSearchAction | null;
}

export const ImageViewItem = Type.Object(
  {
    type: Type.Literal("imageView"),
    ...common,
    path: Type.String({ description: "The picture's file." }),
  },
  { $id: "ImageViewItem", description: "The model looks at a picture." },
);
export interface ImageViewItem extends Static<typeof ImageViewItem> {}

const review = Type.String({ description: "What is reviewed, or what the review says." });

export const EnteredReviewModeItem = Type.Object(
  { type: Type.Literal("enteredReviewMode"), ...common, review },
  { $id: "EnteredReviewModeItem", description: "A code review begins." },
);
export interface EnteredReviewModeItem extends Static<typeof EnteredReviewModeItem> {}

export const ExitedReviewModeItem = Type.Object(
  { type: Type.Literal("exitedReviewMode"), ...common, review },
  { $id: "ExitedReviewModeItem", description: "A code review is over." },
);
export interface ExitedReviewModeItem extends Static<typeof ExitedReviewModeItem> {}

export const ContextCompactionItem = Type.Object(
  { type: Type.Literal("contextCompaction"), ...common },
  { $id: "ContextCompactionItem", description: "The conversation is replaced by a summary." },
);
export interface ContextCompactionItem extends Static<typeof ContextCompactionItem> {}

/** Something that happened in a turn, as clients show it. */
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
  | EnteredReviewModeItem
  | ExitedReviewModeItem
  | ContextCompactionItem;
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
    DynamicToolCallItem,
    WebSearchItem,
    ImageViewItem,
    EnteredReviewModeItem,
    ExitedReviewModeItem,
    ContextCompactionItem,
  ],
  "Something that happened in a turn, as clients show it.",
);
