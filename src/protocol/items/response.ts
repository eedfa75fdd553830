import Type, { type Static } from "typebox";
import { allSince, described, Nullish, since, taggedUnion } from "../schema.js";
import { ContentItem, FunctionCallOutput, InputTextContent, ReasoningItem } from "./content.js";
import { ImageGenerationCallItem } from "./image-generation.js";
import { LocalShellCallItem } from "./shell.js";
import { WebSearchCallItem } from "./web-search.js";

const id = Type.Optional(Type.String({ description: "Id assigned by the model." }));
const callId = Type.String({ description: "Id that links a tool call to its output." });

export const MessageItem = Type.Object(
  {
    type: Type.Literal("message"),
    id,
    role: Type.String({ description: "`user`, `assistant`, `developer` or `system`." }),
    content: Type.Array(ContentItem, { description: "Content parts." }),
    phase: Nullish(Type.String(), {
      description: "Phase of the turn: `commentary` or `final_answer`, if the model reports it.",
    }),
  },
  { $id: "MessageItem", description: "A message to or from the model." },
);
export interface MessageItem extends Static<typeof MessageItem> {}

export const FunctionCallItem = Type.Object(
  {
    type: Type.Literal("function_call"),
    id,
    name: Type.String({ description: "Name of the tool." }),
    namespace: Nullish(Type.String(), { description: "Namespace of the tool." }),
    arguments: Type.String({ description: "Arguments as JSON text, unvalidated." }),
    call_id: callId,
  },
  { $id: "FunctionCallItem", description: "A tool call with JSON arguments." },
);
export interface FunctionCallItem extends Static<typeof FunctionCallItem> {}

export const FunctionCallOutputItem = Type.Object(
  {
    type: Type.Literal("function_call_output"),
    call_id: Type.Optional(
      Type.String({ description: "Call id; absent if the model made no call." }),
    ),
    name: since(
      "0.166",
      Type.Optional(Type.String({ description: "Name of the tool, if there was no call." })),
    ),
    namespace: since(
      "0.166",
      Type.Optional(Type.String({ description: "Namespace of that tool." })),
    ),
    retain: Type.Optional(
      Type.Boolean({ description: "True to keep it when history is compacted." }),
    ),
    output: described(FunctionCallOutput, "Output of the tool."),
  },
  {
    $id: "FunctionCallOutputItem",
    description: "Output of a `function_call`, or of a tool of the client.",
  },
);
export interface FunctionCallOutputItem extends Static<typeof FunctionCallOutputItem> {}

export const CustomToolCallItem = Type.Object(
  {
    type: Type.Literal("custom_tool_call"),
    id,
    status: Nullish(Type.String(), { description: "Status of the call." }),
    call_id: callId,
    name: Type.String({ description: "Name of the tool." }),
    input: Type.String({ description: "Input as plain text." }),
  },
  { $id: "CustomToolCallItem", description: "A tool call with plain text input." },
);
export interface CustomToolCallItem extends Static<typeof CustomToolCallItem> {}

export const CustomToolCallOutputItem = Type.Object(
  {
    type: Type.Literal("custom_tool_call_output"),
    call_id: callId,
    name: since(
      "0.166",
      Nullish(Type.String(), { description: "Name of the tool, in a further output of a call." }),
    ),
    output: described(FunctionCallOutput, "Output of the tool."),
  },
  { $id: "CustomToolCallOutputItem", description: "Output of a `custom_tool_call`." },
);
export interface CustomToolCallOutputItem extends Static<typeof CustomToolCallOutputItem> {}

export const ToolSearchCallItem = Type.Object(
  allSince("0.166", {
    type: Type.Literal("tool_search_call"),
    id,
    call_id: callId,
    status: Nullish(Type.String(), { description: "Status of the call." }),
    execution: Type.String({ description: "`client` if the client searches." }),
    arguments: Type.Unknown({ description: "Query and limit, unvalidated." }),
  }),
  { $id: "ToolSearchCallItem", description: "A search for tools that were not offered." },
);
export interface ToolSearchCallItem extends Static<typeof ToolSearchCallItem> {}

export const ToolSearchOutputItem = Type.Object(
  allSince("0.166", {
    type: Type.Literal("tool_search_output"),
    call_id: callId,
    status: Type.String({ description: "Status of the search." }),
    execution: Type.String({ description: "`client` if the client searched." }),
    tools: Type.Array(Type.Unknown(), { description: "Definitions of the tools found." }),
  }),
  { $id: "ToolSearchOutputItem", description: "Result of a `tool_search_call`." },
);
export interface ToolSearchOutputItem extends Static<typeof ToolSearchOutputItem> {}

export const EncryptedContent = Type.Object(
  allSince("0.166", {
    type: Type.Literal("encrypted_content"),
    encrypted_content: Type.String({ description: "Text that only the model reads." }),
  }),
  { $id: "EncryptedContent", description: "Content that the model may have encrypted." },
);
export interface EncryptedContent extends Static<typeof EncryptedContent> {}

/** A content part of a message between agents. */
export type InterAgentContent = InputTextContent | EncryptedContent;
export const InterAgentContent = taggedUnion(
  "InterAgentContent",
  "type",
  [InputTextContent, EncryptedContent],
  "A content part of a message between agents.",
);

export const InterAgentMessageItem = Type.Object(
  allSince("0.166", {
    type: Type.Literal("agent_message"),
    id,
    author: Type.String({ description: "Path of the agent that sent it." }),
    recipient: Type.String({ description: "Path of the agent that receives it." }),
    content: Type.Array(InterAgentContent, { description: "Content parts." }),
  }),
  { $id: "InterAgentMessageItem", description: "A message from one agent to another." },
);
export interface InterAgentMessageItem extends Static<typeof InterAgentMessageItem> {}

export const GhostSnapshotItem = Type.Object(
  {
    type: Type.Literal("ghost_snapshot"),
    ghost_commit: Type.Unknown({ description: "Commit with the state of the work tree." }),
  },
  {
    $id: "GhostSnapshotItem",
    description: "A snapshot of the work tree; never sent to the model.",
  },
);
export interface GhostSnapshotItem extends Static<typeof GhostSnapshotItem> {}

export const CompactionItem = Type.Object(
  {
    type: Type.Literal("compaction"),
    encrypted_content: Type.String({ description: "Encrypted summary." }),
  },
  { $id: "CompactionItem", description: "Replaces the conversation before it." },
);
export interface CompactionItem extends Static<typeof CompactionItem> {}

export const OtherItem = Type.Object(
  { type: Type.Literal("other") },
  { $id: "OtherItem", description: "An item of an unknown type." },
);
export interface OtherItem extends Static<typeof OtherItem> {}

/** An item of the model conversation, as recorded and sent. */
export type ResponseItem =
  | MessageItem
  | ReasoningItem
  | LocalShellCallItem
  | FunctionCallItem
  | FunctionCallOutputItem
  | CustomToolCallItem
  | CustomToolCallOutputItem
  | ToolSearchCallItem
  | ToolSearchOutputItem
  | InterAgentMessageItem
  | WebSearchCallItem
  | ImageGenerationCallItem
  | GhostSnapshotItem
  | CompactionItem
  | OtherItem;
export const ResponseItem = taggedUnion(
  "ResponseItem",
  "type",
  [
    MessageItem,
    ReasoningItem,
    LocalShellCallItem,
    FunctionCallItem,
    FunctionCallOutputItem,
    CustomToolCallItem,
    CustomToolCallOutputItem,
    since("0.166", ToolSearchCallItem),
    since("0.166", ToolSearchOutputItem),
    since("0.166", InterAgentMessageItem),
    WebSearchCallItem,
    since("0.166", ImageGenerationCallItem),
    GhostSnapshotItem,
    CompactionItem,
    OtherItem,
  ],
  "An item of the model conversation, as recorded and sent.",
);
