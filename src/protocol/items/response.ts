import Type, { type Static } from "typebox";
import { described, Nullish, taggedUnion } from "../schema.js";
import { ContentItem, FunctionCallOutput, ReasoningItem } from "./content.js";
import { LocalShellCallItem } from "./shell.js";
import { WebSearchCallItem } from "./web-search.js";

const id = Type.Optional(Type.String({ description: "The id the model gave it." }));
const callId = Type.String({ description: "What ties a call and its output together." });

export const MessageItem = Type.Object(
  {
    type: Type.Literal("message"),
    id,
    role: Type.String({ description: "`user`, `assistant`, `developer` or `system`." }),
    content: Type.Array(ContentItem, { description: "Its parts." }),
    phase: Nullish(Type.String(), {
      description:
        "Where in the turn it stands: `commentary` or `final_answer`, if the model says.",
    }),
  },
  { $id: "MessageItem", description: "A message to or from the model." },
);
export interface MessageItem extends Static<typeof MessageItem> {}

export const FunctionCallItem = Type.Object(
  {
    type: Type.Literal("function_call"),
    id,
    name: Type.String({ description: "The tool." }),
    namespace: Nullish(Type.String(), { description: "The group of tools it belongs to." }),
    arguments: Type.String({ description: "Its arguments as JSON text, unchecked." }),
    call_id: callId,
  },
  { $id: "FunctionCallItem", description: "The model calls a tool." },
);
export interface FunctionCallItem extends Static<typeof FunctionCallItem> {}

export const FunctionCallOutputItem = Type.Object(
  {
    type: Type.Literal("function_call_output"),
    call_id: callId,
    output: described(FunctionCallOutput, "What the tool answered."),
  },
  { $id: "FunctionCallOutputItem", description: "The answer to a `function_call`." },
);
export interface FunctionCallOutputItem extends Static<typeof FunctionCallOutputItem> {}

export const CustomToolCallItem = Type.Object(
  {
    type: Type.Literal("custom_tool_call"),
    id,
    status: Nullish(Type.String(), { description: "How far the model has come with it." }),
    call_id: callId,
    name: Type.String({ description: "The tool." }),
    input: Type.String({ description: "Its input as plain text." }),
  },
  { $id: "CustomToolCallItem", description: "The model calls a tool that takes plain text." },
);
export interface CustomToolCallItem extends Static<typeof CustomToolCallItem> {}

export const CustomToolCallOutputItem = Type.Object(
  {
    type: Type.Literal("custom_tool_call_output"),
    call_id: callId,
    output: described(FunctionCallOutput, "What the tool answered."),
  },
  { $id: "CustomToolCallOutputItem", description: "The answer to a `custom_tool_call`." },
);
export interface CustomToolCallOutputItem extends Static<typeof CustomToolCallOutputItem> {}

export const GhostSnapshotItem = Type.Object(
  {
    type: Type.Literal("ghost_snapshot"),
    ghost_commit: Type.Unknown({ description: "The commit that holds the work tree." }),
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
    encrypted_content: Type.String({ description: "A summary only the model can read." }),
  },
  { $id: "CompactionItem", description: "Stands for all that came before it." },
);
export interface CompactionItem extends Static<typeof CompactionItem> {}

export const OtherItem = Type.Object(
  { type: Type.Literal("other") },
  { $id: "OtherItem", description: "An item of a kind this version does not know." },
);
export interface OtherItem extends Static<typeof OtherItem> {}

/** An item of the conversation with the model, as it is recorded and sent. */
export type ResponseItem =
  | MessageItem
  | ReasoningItem
  | LocalShellCallItem
  | FunctionCallItem
  | FunctionCallOutputItem
  | CustomToolCallItem
  | CustomToolCallOutputItem
  | WebSearchCallItem
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
    WebSearchCallItem,
    GhostSnapshotItem,
    CompactionItem,
    OtherItem,
  ],
  "An item of the conversation with the model, as it is recorded and sent.",
);
