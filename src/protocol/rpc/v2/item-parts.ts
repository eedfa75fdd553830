import Type, { type Static } from "typebox";
import { described, Nullable, taggedUnion } from "../../schema.js";

const command = Type.String({ description: "The command as text." });

export const ReadAction = Type.Object(
  {
    type: Type.Literal("read"),
    command,
    name: Type.String({ description: "A short name of the file." }),
    path: Type.String({ description: "The file." }),
  },
  { $id: "ReadAction", description: "Shows a file." },
);
export interface ReadAction extends Static<typeof ReadAction> {}

export const ListFilesAction = Type.Object(
  {
    type: Type.Literal("listFiles"),
    command,
    path: Nullable(Type.String(), { description: "Where the files are." }),
  },
  { $id: "ListFilesAction", description: "Lists files." },
);
export interface ListFilesAction extends Static<typeof ListFilesAction> {}

export const SearchAction = Type.Object(
  {
    type: Type.Literal("search"),
    command,
    query: Nullable(Type.String(), { description: "What is searched for." }),
    path: Nullable(Type.String(), { description: "Where it is searched." }),
  },
  { $id: "SearchAction", description: "Searches files." },
);
export interface SearchAction extends Static<typeof SearchAction> {}

export const UnknownAction = Type.Object(
  { type: Type.Literal("unknown"), command },
  { $id: "UnknownAction", description: "Does something else." },
);
export interface UnknownAction extends Static<typeof UnknownAction> {}

/** What a command does, for showing it. */
export type CommandAction = ReadAction | ListFilesAction | SearchAction | UnknownAction;
export const CommandAction = taggedUnion(
  "CommandAction",
  "type",
  [ReadAction, ListFilesAction, SearchAction, UnknownAction],
  "What a command does, for showing it.",
);

export const CommandExecutionSource = Type.Enum(
  ["agent", "userShell", "unifiedExecStartup", "unifiedExecInteraction"],
  { $id: "CommandExecutionSource", description: "Who runs a command." },
);
/** Who runs a command. */
export type CommandExecutionSource = Static<typeof CommandExecutionSource>;

export const CommandExecutionStatus = Type.Enum(["inProgress", "completed", "failed", "declined"], {
  $id: "CommandExecutionStatus",
  description: "How far a command has come.",
});
/** How far a command has come. */
export type CommandExecutionStatus = Static<typeof CommandExecutionStatus>;

export const PatchApplyStatus = Type.Enum(["inProgress", "completed", "failed", "declined"], {
  $id: "PatchApplyStatus",
  description: "How far a change of files has come.",
});
/** How far a change of files has come. */
export type PatchApplyStatus = Static<typeof PatchApplyStatus>;

export const McpToolCallStatus = Type.Enum(["inProgress", "completed", "failed"], {
  $id: "McpToolCallStatus",
  description: "How far a call of an MCP tool has come.",
});
/** How far a call of an MCP tool has come. */
export type McpToolCallStatus = Static<typeof McpToolCallStatus>;

export const DynamicToolCallStatus = Type.Enum(["inProgress", "completed", "failed"], {
  $id: "DynamicToolCallStatus",
  description: "How far a call of a client's tool has come.",
});
/** How far a call of a client's tool has come. */
export type DynamicToolCallStatus = Static<typeof DynamicToolCallStatus>;

export const PatchChangeKind = taggedUnion(
  "PatchChangeKind",
  "type",
  [
    Type.Object({ type: Type.Literal("add") }),
    Type.Object({ type: Type.Literal("delete") }),
    Type.Object({
      type: Type.Literal("update"),
      move_path: Nullable(Type.String(), { description: "Its new place, if it is moved." }),
    }),
  ],
  "What is done with a file.",
);
/** What is done with a file. */
export type PatchChangeKind =
  | { type: "add" }
  | { type: "delete" }
  | { type: "update"; move_path: string | null };

export const FileUpdateChange = Type.Object(
  {
    path: Type.String({ description: "The file." }),
    kind: described(PatchChangeKind, "What is done with it."),
    diff: Type.String({ description: "The change; of a new or deleted file, what is in it." }),
  },
  { $id: "FileUpdateChange", description: "The change of one file." },
);
export interface FileUpdateChange extends Static<typeof FileUpdateChange> {}

export const McpToolCallResult = Type.Object(
  {
    content: Type.Array(Type.Unknown(), { description: "What the tool answered." }),
    structuredContent: Type.Unknown({ description: "The same in a form for programs, or null." }),
    _meta: Type.Unknown({ description: "What the server says besides, or null." }),
  },
  { $id: "McpToolCallResult", description: "The answer of an MCP tool." },
);
export interface McpToolCallResult extends Static<typeof McpToolCallResult> {}

export const McpToolCallError = Type.Object(
  { message: Type.String({ description: "What went wrong." }) },
  { $id: "McpToolCallError", description: "Why an MCP tool could not be called." },
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
      imageUrl: Type.String({ description: "The picture's address." }),
    }),
  ],
  "A part of what a client's tool answers.",
);
/** A part of what a client's tool answers. */
export type DynamicToolCallOutputContentItem =
  | { type: "inputText"; text: string }
  | { type: "inputImage"; imageUrl: string };

export const WebSearchAction = taggedUnion(
  "WebSearchAction",
  "type",
  [
    Type.Object({
      type: Type.Literal("search"),
      query: Nullable(Type.String(), { description: "What is searched for." }),
      queries: Nullable(Type.Array(Type.String()), { description: "All that is searched for." }),
    }),
    Type.Object({
      type: Type.Literal("openPage"),
      url: Nullable(Type.String(), { description: "The page." }),
    }),
    Type.Object({
      type: Type.Literal("findInPage"),
      url: Nullable(Type.String(), { description: "The page." }),
      pattern: Nullable(Type.String(), { description: "What is looked for in it." }),
    }),
    Type.Object({ type: Type.Literal("other") }),
  ],
  "What the model does on the web.",
);
/** What the model does on the web. */
export type WebSearchAction =
  | { type: "search"; query: string | null; queries: string[] | null }
  | { type: "openPage"; url: string | null }
  | { type: "findInPage"; url: string | null; pattern: string | null }
  | { type: "other" };
