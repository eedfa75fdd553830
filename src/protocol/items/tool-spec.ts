import Type, { type Static } from "typebox";
import { described, taggedUnion } from "../schema.js";

const name = Type.String({ description: "What the model calls it by." });
const description = Type.String({ description: "What it does, for the model." });

export const FunctionToolSpec = Type.Object(
  {
    type: Type.Literal("function"),
    name,
    description,
    strict: Type.Boolean({ description: "Whether the arguments always fit the schema." }),
    parameters: Type.Unknown({ description: "The JSON Schema of its arguments." }),
  },
  { $id: "FunctionToolSpec", description: "A tool that takes JSON arguments." },
);
export interface FunctionToolSpec extends Static<typeof FunctionToolSpec> {}

export const GrammarFormat = Type.Object(
  {
    type: Type.Literal("grammar"),
    syntax: Type.String({ description: "How the grammar is written, such as `lark`." }),
    definition: Type.String({ description: "The grammar." }),
  },
  { $id: "GrammarFormat", description: "The grammar a tool's input follows." },
);
export interface GrammarFormat extends Static<typeof GrammarFormat> {}

export const CustomToolSpec = Type.Object(
  {
    type: Type.Literal("custom"),
    name,
    description,
    format: described(GrammarFormat, "What its input looks like."),
  },
  { $id: "CustomToolSpec", description: "A tool that takes plain text." },
);
export interface CustomToolSpec extends Static<typeof CustomToolSpec> {}

export const LocalShellToolSpec = Type.Object(
  { type: Type.Literal("local_shell") },
  { $id: "LocalShellToolSpec", description: "The shell tool built into some models." },
);
export interface LocalShellToolSpec extends Static<typeof LocalShellToolSpec> {}

export const WebSearchToolSpec = Type.Object(
  {
    type: Type.Literal("web_search"),
    external_web_access: Type.Optional(
      Type.Boolean({ description: "Whether it looks at the live web or only at a cache." }),
    ),
    search_content_types: Type.Optional(
      Type.Array(Type.String(), { description: "What it brings back: `text`, `image`." }),
    ),
  },
  { $id: "WebSearchToolSpec", description: "The web search built into some models." },
);
export interface WebSearchToolSpec extends Static<typeof WebSearchToolSpec> {}

export const NamespaceToolSpec = Type.Object(
  {
    type: Type.Literal("namespace"),
    name,
    description,
    tools: Type.Array(FunctionToolSpec, { description: "The tools in it." }),
  },
  { $id: "NamespaceToolSpec", description: "Tools that belong together, under one name." },
);
export interface NamespaceToolSpec extends Static<typeof NamespaceToolSpec> {}

/** A tool as it is offered to the model. */
export type ToolSpec =
  | FunctionToolSpec
  | CustomToolSpec
  | LocalShellToolSpec
  | WebSearchToolSpec
  | NamespaceToolSpec;
export const ToolSpec = taggedUnion(
  "ToolSpec",
  "type",
  [FunctionToolSpec, CustomToolSpec, LocalShellToolSpec, WebSearchToolSpec, NamespaceToolSpec],
  "A tool as it is offered to the model.",
);
