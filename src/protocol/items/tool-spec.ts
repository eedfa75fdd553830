import Type, { type Static } from "typebox";
import { described, taggedUnion } from "../schema.js";

const name = Type.String({ description: "Name of the tool." });
const description = Type.String({ description: "Description for the model." });

export const FunctionToolSpec = Type.Object(
  {
    type: Type.Literal("function"),
    name,
    description,
    strict: Type.Boolean({ description: "Enforces the schema of the arguments." }),
    defer_loading: Type.Optional(
      Type.Boolean({ description: "The tool was found by a search and is not in `tools`." }),
    ),
    parameters: Type.Unknown({ description: "JSON Schema of the arguments." }),
  },
  { $id: "FunctionToolSpec", description: "A tool with JSON arguments." },
);
export interface FunctionToolSpec extends Static<typeof FunctionToolSpec> {}

export const GrammarFormat = Type.Object(
  {
    type: Type.Literal("grammar"),
    syntax: Type.String({ description: "Syntax of the grammar, such as `lark`." }),
    definition: Type.String({ description: "Grammar definition." }),
  },
  { $id: "GrammarFormat", description: "Grammar of a tool's input." },
);
export interface GrammarFormat extends Static<typeof GrammarFormat> {}

export const CustomToolSpec = Type.Object(
  {
    type: Type.Literal("custom"),
    name,
    description,
    format: described(GrammarFormat, "Format of the input."),
  },
  { $id: "CustomToolSpec", description: "A tool with plain text input." },
);
export interface CustomToolSpec extends Static<typeof CustomToolSpec> {}

export const LocalShellToolSpec = Type.Object(
  { type: Type.Literal("local_shell") },
  { $id: "LocalShellToolSpec", description: "The built-in shell tool of some models." },
);
export interface LocalShellToolSpec extends Static<typeof LocalShellToolSpec> {}

export const WebSearchToolSpec = Type.Object(
  {
    type: Type.Literal("web_search"),
    external_web_access: Type.Optional(
      Type.Boolean({ description: "Searches the live web; false: a cache only." }),
    ),
    search_content_types: Type.Optional(
      Type.Array(Type.String(), { description: "Content types of results: `text`, `image`." }),
    ),
  },
  { $id: "WebSearchToolSpec", description: "The built-in web search of some models." },
);
export interface WebSearchToolSpec extends Static<typeof WebSearchToolSpec> {}

export const NamespaceToolSpec = Type.Object(
  {
    type: Type.Literal("namespace"),
    name,
    description,
    tools: Type.Array(FunctionToolSpec, { description: "Tools of the namespace." }),
  },
  { $id: "NamespaceToolSpec", description: "A named group of tools." },
);
export interface NamespaceToolSpec extends Static<typeof NamespaceToolSpec> {}

export const ToolSearchToolSpec = Type.Object(
  {
    type: Type.Literal("tool_search"),
    execution: Type.Literal("client"),
    description,
    parameters: Type.Unknown({ description: "JSON Schema of the arguments." }),
  },
  { $id: "ToolSearchToolSpec", description: "A search for tools, for models that know its items." },
);
export interface ToolSearchToolSpec extends Static<typeof ToolSearchToolSpec> {}

/** A tool definition for the model. */
export type ToolSpec =
  | FunctionToolSpec
  | CustomToolSpec
  | LocalShellToolSpec
  | ToolSearchToolSpec
  | WebSearchToolSpec
  | NamespaceToolSpec;
export const ToolSpec = taggedUnion(
  "ToolSpec",
  "type",
  [
    FunctionToolSpec,
    CustomToolSpec,
    LocalShellToolSpec,
    ToolSearchToolSpec,
    WebSearchToolSpec,
    NamespaceToolSpec,
  ],
  "A tool definition for the model.",
);
