import Type, { type Static } from "typebox";
import { described } from "../../schema.js";
import { defineNotification } from "../declare.js";
import { ThreadItem } from "./item.js";
import { FileUpdateChange } from "./item-parts.js";

const turnPlace = {
  threadId: Type.String({ description: "The thread it belongs to." }),
  turnId: Type.String({ description: "The turn it belongs to." }),
};
const place = { ...turnPlace, itemId: Type.String({ description: "The item it belongs to." }) };
const delta = Type.String({ description: "The next piece." });

export const ItemStartedNotification = Type.Object(
  {
    item: described(ThreadItem, "The item, as far as it is known."),
    ...turnPlace,
    startedAtMs: Type.Integer({ description: "When it began." }),
  },
  { $id: "ItemStartedNotification", description: "An item begins." },
);
export interface ItemStartedNotification extends Static<typeof ItemStartedNotification> {
  item: ThreadItem;
}

export const ItemCompletedNotification = Type.Object(
  {
    item: described(ThreadItem, "The item, complete."),
    ...turnPlace,
    completedAtMs: Type.Integer({ description: "When it was complete." }),
  },
  { $id: "ItemCompletedNotification", description: "An item is complete." },
);
export interface ItemCompletedNotification extends Static<typeof ItemCompletedNotification> {
  item: ThreadItem;
}

export const AgentMessageDeltaNotification = Type.Object(
  { ...place, delta },
  { $id: "AgentMessageDeltaNotification", description: "The next piece of a message." },
);
export interface AgentMessageDeltaNotification
  extends Static<typeof AgentMessageDeltaNotification> {}

export const PlanDeltaNotification = Type.Object(
  { ...place, delta },
  { $id: "PlanDeltaNotification", description: "The next piece of a proposed plan." },
);
export interface PlanDeltaNotification extends Static<typeof PlanDeltaNotification> {}

export const ReasoningSummaryTextDeltaNotification = Type.Object(
  {
    ...place,
    delta,
    summaryIndex: Type.Integer({ description: "Which part of the summary." }),
  },
  {
    $id: "ReasoningSummaryTextDeltaNotification",
    description: "The next piece of a summary of reasoning.",
  },
);
export interface ReasoningSummaryTextDeltaNotification
  extends Static<typeof ReasoningSummaryTextDeltaNotification> {}

export const ReasoningSummaryPartAddedNotification = Type.Object(
  { ...place, summaryIndex: Type.Integer({ description: "Which part begins." }) },
  {
    $id: "ReasoningSummaryPartAddedNotification",
    description: "A new part of a summary of reasoning begins.",
  },
);
export interface ReasoningSummaryPartAddedNotification
  extends Static<typeof ReasoningSummaryPartAddedNotification> {}

export const ReasoningTextDeltaNotification = Type.Object(
  { ...place, delta, contentIndex: Type.Integer({ description: "Which part of the reasoning." }) },
  { $id: "ReasoningTextDeltaNotification", description: "The next piece of reasoning in full." },
);
export interface ReasoningTextDeltaNotification
  extends Static<typeof ReasoningTextDeltaNotification> {}

export const CommandExecutionOutputDeltaNotification = Type.Object(
  { ...place, delta },
  {
    $id: "CommandExecutionOutputDeltaNotification",
    description: "The next piece of what a command writes.",
  },
);
export interface CommandExecutionOutputDeltaNotification
  extends Static<typeof CommandExecutionOutputDeltaNotification> {}

export const TerminalInteractionNotification = Type.Object(
  {
    ...place,
    processId: Type.String({ description: "The process that is talked to." }),
    stdin: Type.String({ description: "What is typed; empty when only output is awaited." }),
  },
  {
    $id: "TerminalInteractionNotification",
    description: "The model types into a process that goes on.",
  },
);
export interface TerminalInteractionNotification
  extends Static<typeof TerminalInteractionNotification> {}

export const FileChangeOutputDeltaNotification = Type.Object(
  { ...place, delta },
  {
    $id: "FileChangeOutputDeltaNotification",
    description: "What is said about a change of files that was made.",
  },
);
export interface FileChangeOutputDeltaNotification
  extends Static<typeof FileChangeOutputDeltaNotification> {}

export const FileChangePatchUpdatedNotification = Type.Object(
  {
    ...place,
    changes: Type.Array(FileUpdateChange, { description: "The files and their changes." }),
  },
  {
    $id: "FileChangePatchUpdatedNotification",
    description: "How a change of files looks by now, while the model still writes it.",
  },
);
export interface FileChangePatchUpdatedNotification
  extends Static<typeof FileChangePatchUpdatedNotification> {}

export const McpToolCallProgressNotification = Type.Object(
  { ...place, message: Type.String({ description: "What the server says." }) },
  { $id: "McpToolCallProgressNotification", description: "An MCP tool tells how far it is." },
);
export interface McpToolCallProgressNotification
  extends Static<typeof McpToolCallProgressNotification> {}

export const RawResponseItemCompletedNotification = Type.Object(
  { ...turnPlace, item: Type.Unknown({ description: "The item, as the model is shown it." }) },
  {
    $id: "RawResponseItemCompletedNotification",
    description: "An item was added to what the model is shown; only for threads that ask for it.",
  },
);
export interface RawResponseItemCompletedNotification
  extends Static<typeof RawResponseItemCompletedNotification> {}

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
  }),
  defineNotification({
    name: "rawResponseItem/completed",
    summary: "An item was added to the model's context.",
    scope: "thread",
    params: RawResponseItemCompletedNotification,
  }),
  defineNotification({
    name: "item/mcpToolCall/progress",
    summary: "Progress of an MCP tool call.",
    scope: "thread",
    params: McpToolCallProgressNotification,
  }),
];
