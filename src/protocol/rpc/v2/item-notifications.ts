import Type, { type Static } from "typebox";
import { described } from "../../schema.js";
import { declareNotification } from "../declare.js";
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
  declareNotification("item/started", "An item begins.", ItemStartedNotification),
  declareNotification("item/completed", "An item is complete.", ItemCompletedNotification),
  declareNotification(
    "item/agentMessage/delta",
    "The next piece of a message.",
    AgentMessageDeltaNotification,
  ),
  declareNotification("item/plan/delta", "The next piece of a plan.", PlanDeltaNotification),
  declareNotification(
    "item/reasoning/summaryTextDelta",
    "The next piece of a summary of reasoning.",
    ReasoningSummaryTextDeltaNotification,
  ),
  declareNotification(
    "item/reasoning/summaryPartAdded",
    "A new part of a summary of reasoning begins.",
    ReasoningSummaryPartAddedNotification,
  ),
  declareNotification(
    "item/reasoning/textDelta",
    "The next piece of reasoning in full.",
    ReasoningTextDeltaNotification,
  ),
  declareNotification(
    "item/commandExecution/outputDelta",
    "The next piece of what a command writes.",
    CommandExecutionOutputDeltaNotification,
  ),
  declareNotification(
    "item/commandExecution/terminalInteraction",
    "The model types into a process that goes on.",
    TerminalInteractionNotification,
  ),
  declareNotification(
    "item/fileChange/outputDelta",
    "What is said about a change of files that was made.",
    FileChangeOutputDeltaNotification,
  ),
  declareNotification(
    "item/fileChange/patchUpdated",
    "How a patch looks that the model still writes; told with `features.apply_patch_streaming_events`.",
    FileChangePatchUpdatedNotification,
  ),
  declareNotification(
    "rawResponseItem/completed",
    "An item was added to what the model is shown.",
    RawResponseItemCompletedNotification,
  ),
  declareNotification(
    "item/mcpToolCall/progress",
    "An MCP tool tells how far it is.",
    McpToolCallProgressNotification,
  ),
];
