import Type, { type Static } from "typebox";
import { described, Nullable, since, taggedUnion } from "../../schema.js";

const command = Type.String({ description: "The command as text." });

export const ReadAction = Type.Object(
  {
    type: Type.Literal("read"),
    command,
    name: Type.String({ description: "Short name of the file." }),
    path: Type.String({ description: "The file." }),
  },
  { $id: "ReadAction", description: "Reads a file." },
);
export interface ReadAction extends Static<typeof ReadAction> {}

export const ListFilesAction = Type.Object(
  {
    type: Type.Literal("listFiles"),
    command,
    path: Nullable(Type.String(), { description: "Directory." }),
  },
  { $id: "ListFilesAction", description: "Lists files." },
);
export interface ListFilesAction extends Static<typeof ListFilesAction> {}

export const SearchAction = Type.Object(
  {
    type: Type.Literal("search"),
    command,
    query: Nullable(Type.String(), { description: "Search query." }),
    path: Nullable(Type.String(), { description: "Searched path." }),
  },
  { $id: "SearchAction", description: "Searches files." },
);
export interface SearchAction extends Static<typeof SearchAction> {}

export const UnknownAction = Type.Object(
  { type: Type.Literal("unknown"), command },
  { $id: "UnknownAction", description: "Any other command." },
);
export interface UnknownAction extends Static<typeof UnknownAction> {}

/** Purpose of a command, for display. */
export type CommandAction = ReadAction | ListFilesAction | SearchAction | UnknownAction;
export const CommandAction = taggedUnion(
  "CommandAction",
  "type",
  [ReadAction, ListFilesAction, SearchAction, UnknownAction],
  "Purpose of a command, for display.",
);

export const CommandExecutionSource = Type.Enum(
  ["agent", "userShell", "unifiedExecStartup", "unifiedExecInteraction"],
  { $id: "CommandExecutionSource", description: "Origin of a command." },
);
/** Origin of a command. */
export type CommandExecutionSource = Static<typeof CommandExecutionSource>;

export const CommandExecutionStatus = Type.Enum(["inProgress", "completed", "failed", "declined"], {
  $id: "CommandExecutionStatus",
  description: "Status of a command.",
});
/** Status of a command. */
export type CommandExecutionStatus = Static<typeof CommandExecutionStatus>;

export const PatchApplyStatus = Type.Enum(["inProgress", "completed", "failed", "declined"], {
  $id: "PatchApplyStatus",
  description: "Status of file changes.",
});
/** Status of file changes. */
export type PatchApplyStatus = Static<typeof PatchApplyStatus>;

export const McpToolCallStatus = Type.Enum(["inProgress", "completed", "failed"], {
  $id: "McpToolCallStatus",
  description: "Status of an MCP tool call.",
});
/** Status of an MCP tool call. */
export type McpToolCallStatus = Static<typeof McpToolCallStatus>;

export const DynamicToolCallStatus = Type.Enum(["inProgress", "completed", "failed"], {
  $id: "DynamicToolCallStatus",
  description: "Status of a dynamic tool call.",
});
/** Status of a dynamic tool call. */
export type DynamicToolCallStatus = Static<typeof DynamicToolCallStatus>;

export const PatchChangeKind = taggedUnion(
  "PatchChangeKind",
  "type",
  [
    Type.Object({ type: Type.Literal("add") }),
    Type.Object({ type: Type.Literal("delete") }),
    Type.Object({
      type: Type.Literal("update"),
      move_path: Nullable(Type.String(), { description: "New path, if the file is moved." }),
    }),
  ],
  "Kind of file change.",
);
/** Kind of file change. */
export type PatchChangeKind =
  | { type: "add" }
  | { type: "delete" }
  | { type: "update"; move_path: string | null };

export const FileUpdateChange = Type.Object(
  {
    path: Type.String({ description: "The file." }),
    kind: described(PatchChangeKind, "Kind of change."),
    diff: Type.String({ description: "Unified diff; the content for an added or deleted file." }),
  },
  { $id: "FileUpdateChange", description: "A change of a file." },
);
export interface FileUpdateChange extends Static<typeof FileUpdateChange> {}

export const McpToolCallResult = Type.Object(
  {
    content: Type.Array(Type.Unknown(), { description: "Output of the tool." }),
    structuredContent: Type.Unknown({ description: "Structured result, or null." }),
    _meta: since("0.166", Type.Unknown({ description: "MCP metadata, or null." })),
  },
  { $id: "McpToolCallResult", description: "Result of an MCP tool call." },
);
export interface McpToolCallResult extends Static<typeof McpToolCallResult> {}

export const McpToolCallError = Type.Object(
  { message: Type.String({ description: "Error output." }) },
  { $id: "McpToolCallError", description: "Error of an MCP tool call." },
);
export interface McpToolCallError extends Static<typeof McpToolCallError> {}

export const DynamicToolCallOutputContentItem = taggedUnion(
  "DynamicToolCallOutputContentItem",
  "type",
  [
    Type.Object({
      type: Type.Literal("inputText"),
      text: Type.String({ description: "The text." }),
    }),
    Type.Object({
      type: Type.Literal("inputImage"),
      imageUrl: Type.String({ description: "Image URL." }),
    }),
  ],
  "A content part of a dynamic tool result.",
);
/** A content part of a dynamic tool result. */
export type DynamicToolCallOutputContentItem =
  | { type: "inputText"; text: string }
  | { type: "inputImage"; imageUrl: string };

export const WebSearchAction = taggedUnion(
  "WebSearchAction",
  "type",
  [
    Type.Object({
      type: Type.Literal("search"),
      query: Nullable(Type.String(), { description: "Search query." }),
      queries: Nullable(Type.Array(Type.String()), { description: "Search queries." }),
    }),
    Type.Object({
      type: Type.Literal("openPage"),
      url: Nullable(Type.String(), { description: "URL of the page." }),
    }),
    Type.Object({
      type: Type.Literal("findInPage"),
      url: Nullable(Type.String(), { description: "URL of the page." }),
      pattern: Nullable(Type.String(), { description: "Search pattern." }),
    }),
    Type.Object({ type: Type.Literal("other") }),
  ],
  "Web action of the model.",
);
/** Web action of the model. */
export type WebSearchAction =
  | { type: "search"; query: string | null; queries: string[] | null }
  | { type: "openPage"; url: string | null }
  | { type: "findInPage"; url: string | null; pattern: string | null }
  | { type: "other" };
