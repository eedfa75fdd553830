import Type, { type Static } from "typebox";
import { taggedUnion } from "../schema.js";
import { CallToolResult } from "../sqeq/events/mcp.js";
import { ContentItem } from "./content.js";
import { CustomToolCallOutputItem, FunctionCallOutputItem } from "./response.js";

export const MessageInput = Type.Object(
  {
    type: Type.Literal("message"),
    role: Type.String({ description: "`user`, `developer` or `assistant`." }),
    content: Type.Array(ContentItem, { description: "Its parts." }),
  },
  { $id: "MessageInput", description: "A message for the model." },
);
export interface MessageInput extends Static<typeof MessageInput> {}

export const McpToolCallOutputInput = Type.Object(
  {
    type: Type.Literal("mcp_tool_call_output"),
    call_id: Type.String({ description: "The call it answers." }),
    result: Type.Union([CallToolResult, Type.String()], {
      description: "What the tool answered, or why it could not be called.",
    }),
  },
  { $id: "McpToolCallOutputInput", description: "The answer of a tool of an MCP server." },
);
export interface McpToolCallOutputInput extends Static<typeof McpToolCallOutputInput> {}

/** What is fed to the model next. */
export type ResponseInputItem =
  | MessageInput
  | FunctionCallOutputItem
  | McpToolCallOutputInput
  | CustomToolCallOutputItem;
export const ResponseInputItem = taggedUnion(
  "ResponseInputItem",
  "type",
  [MessageInput, FunctionCallOutputItem, McpToolCallOutputInput, CustomToolCallOutputItem],
  "What is fed to the model next.",
);
