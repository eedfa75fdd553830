import Type, { type Static } from "typebox";
import { described, since } from "../../schema.js";
import { defineNotification } from "../declare.js";
import { ThreadItem } from "./item.js";
import { FileUpdateChange } from "./item-parts.js";

const turnPlace = {
  threadId: Type.String({ description: "Thread id." }),
  turnId: Type.String({ description: "Turn id." }),
};
const place = { ...turnPlace, itemId: Type.String({ description: "Item id." }) };
const delta = Type.String({ description: "Text to append." });

export const ItemStartedNotification = Type.Object(
  {
    item: described(ThreadItem, "The item in its initial state."),
    ...turnPlace,
    startedAtMs: since("0.166", Type.Integer({ description: "Start time in Unix milliseconds." })),
  },
  { $id: "ItemStartedNotification", description: "An item started." },
);
export interface ItemStartedNotification extends Static<typeof ItemStartedNotification> {
  item: ThreadItem;
}

export const ItemCompletedNotification = Type.Object(
  {
    item: described(ThreadItem, "The completed item."),
    ...turnPlace,
    completedAtMs: since(
      "0.166",
      Type.Integer({ description: "Completion time in Unix milliseconds." }),
    ),
  },
  { $id: "ItemCompletedNotification", description: "An item is complete." },
);
export interface ItemCompletedNotification extends Static<typeof ItemCompletedNotification> {
  item: ThreadItem;
}

export const AgentMessageDeltaNotification = Type.Object(
  { ...place, delta },
  { $id: "AgentMessageDeltaNotification", description: "The next part of an agent message." },
);
export interface AgentMessageDeltaNotification
  extends Static<typeof AgentMessageDeltaNotification> {}

export const PlanDeltaNotification = Type.Object(
  { ...place, delta },
  { $id: "PlanDeltaNotification", description: "The next part of a proposed plan." },
);
export interface PlanDeltaNotification extends Static<typeof PlanDeltaNotification> {}

export const ReasoningSummaryTextDeltaNotification = Type.Object(
  {
    ...place,
    delta,
    summaryIndex: Type.Integer({ description: "Index of the summary part." }),
  },
  {
    $id: "ReasoningSummaryTextDeltaNotification",
    description: "The next text of the reasoning summary.",
  },
);
export interface ReasoningSummaryTextDeltaNotification
  extends Static<typeof ReasoningSummaryTextDeltaNotification> {}

export const ReasoningSummaryPartAddedNotification = Type.Object(
  { ...place, summaryIndex: Type.Integer({ description: "Index of the new part." }) },
  {
    $id: "ReasoningSummaryPartAddedNotification",
    description: "A new part of the reasoning summary starts.",
  },
);
export interface ReasoningSummaryPartAddedNotification
  extends Static<typeof ReasoningSummaryPartAddedNotification> {}

export const ReasoningTextDeltaNotification = Type.Object(
  { ...place, delta, contentIndex: Type.Integer({ description: "Index of the reasoning part." }) },
  { $id: "ReasoningTextDeltaNotification", description: "The next text of the raw reasoning." },
);
export interface ReasoningTextDeltaNotification
  extends Static<typeof ReasoningTextDeltaNotification> {}

export const CommandExecutionOutputDeltaNotification = Type.Object(
  { ...place, delta },
  {
    $id: "CommandExecutionOutputDeltaNotification",
    description: "The next part of a command's output.",
  },
);
export interface CommandExecutionOutputDeltaNotification
  extends Static<typeof CommandExecutionOutputDeltaNotification> {}

export const TerminalInteractionNotification = Type.Object(
  {
    ...place,
    processId: Type.String({ description: "Process id." }),
    stdin: Type.String({ description: "Input; empty if the process was only polled." }),
  },
  {
    $id: "TerminalInteractionNotification",
    description: "The model sent input to a running process.",
  },
);
export interface TerminalInteractionNotification
  extends Static<typeof TerminalInteractionNotification> {}

export const FileChangeOutputDeltaNotification = Type.Object(
  { ...place, delta },
  {
    $id: "FileChangeOutputDeltaNotification",
    description: "The summary of applied file changes.",
  },
);
export interface FileChangeOutputDeltaNotification
  extends Static<typeof FileChangeOutputDeltaNotification> {}

export const FileChangePatchUpdatedNotification = Type.Object(
  {
    ...place,
    changes: Type.Array(FileUpdateChange, { description: "File changes." }),
  },
  {
    $id: "FileChangePatchUpdatedNotification",
    description: "Preview of file changes while the model writes the patch.",
  },
);
export interface FileChangePatchUpdatedNotification
  extends Static<typeof FileChangePatchUpdatedNotification> {}

export const McpToolCallProgressNotification = Type.Object(
  { ...place, message: Type.String({ description: "Progress message." }) },
  { $id: "McpToolCallProgressNotification", description: "Progress of an MCP tool call." },
);
export interface McpToolCallProgressNotification
  extends Static<typeof McpToolCallProgressNotification> {}

export const RawResponseItemCompletedNotification = Type.Object(
  { ...turnPlace, item: Type.Unknown({ description: "The raw response item." }) },
  {
    $id: "RawResponseItemCompletedNotification",
    description: "A raw item was added to the model's context; only for threads that request it.",
  },
);
export interface RawResponseItemCompletedNotification
  extends Static<typeof RawResponseItemCompletedNotification> {}

export const ToolCallFailedNotification = Type.Object(
  {
    ...turnPlace,
    itemId: Type.String({ description: "Id of the call." }),
    tool: Type.String({ description: "Name of the tool." }),
    message: Type.String({ description: "Reason, as the model got it." }),
  },
  { $id: "ToolCallFailedNotification", description: "Params of `item/toolCall/failed`." },
);
export interface ToolCallFailedNotification extends Static<typeof ToolCallFailedNotification> {}

export const itemNotifications = [
  defineNotification({
    name: "item/started",
    summary: "An item started.",
    scope: "thread",
    params: ItemStartedNotification,
  }),
  defineNotification({
    name: "item/completed",
    summary: "An item is complete.",
    scope: "thread",
    params: ItemCompletedNotification,
  }),
  defineNotification({
    name: "item/agentMessage/delta",
    summary: "The next part of an agent message.",
    scope: "thread",
    params: AgentMessageDeltaNotification,
  }),
  defineNotification({
    name: "item/plan/delta",
    summary: "The next part of a proposed plan.",
    scope: "thread",
    params: PlanDeltaNotification,
  }),
  defineNotification({
    name: "item/reasoning/summaryTextDelta",
    summary: "The next text of the reasoning summary.",
    scope: "thread",
    params: ReasoningSummaryTextDeltaNotification,
  }),
  defineNotification({
    name: "item/reasoning/summaryPartAdded",
    summary: "A new part of the reasoning summary starts.",
    scope: "thread",
    params: ReasoningSummaryPartAddedNotification,
  }),
  defineNotification({
    name: "item/reasoning/textDelta",
    summary: "The next text of the raw reasoning.",
    scope: "thread",
    params: ReasoningTextDeltaNotification,
  }),
  defineNotification({
    name: "item/commandExecution/outputDelta",
    summary: "The next part of a command's output.",
    scope: "thread",
    params: CommandExecutionOutputDeltaNotification,
  }),
  defineNotification({
    name: "item/commandExecution/terminalInteraction",
    summary: "The model sent input to a running process.",
    scope: "thread",
    params: TerminalInteractionNotification,
  }),
  defineNotification({
    name: "item/fileChange/outputDelta",
    summary: "The summary of applied file changes.",
    scope: "thread",
    params: FileChangeOutputDeltaNotification,
  }),
  defineNotification({
    name: "item/fileChange/patchUpdated",
    summary:
      "A preview of a patch while the model writes it. Requires `features.apply_patch_streaming_events`.",
    scope: "thread",
    params: FileChangePatchUpdatedNotification,
    since: "0.166",
  }),
  defineNotification({
    name: "rawResponseItem/completed",
    summary: "An item was added to the model's context.",
    scope: "thread",
    params: RawResponseItemCompletedNotification,
  }),
  defineNotification({
    name: "item/toolCall/failed",
    summary: "A call of a tool failed before it had an effect, so that there is no item of it.",
    scope: "thread",
    params: ToolCallFailedNotification,
    since: "current",
  }),
  defineNotification({
    name: "item/mcpToolCall/progress",
    summary: "Progress of an MCP tool call.",
    scope: "thread",
    params: McpToolCallProgressNotification,
  }),
];
