import Type, { type Static } from "typebox";
import { taggedUnion } from "../schema.js";
import { CallToolResult } from "../sqeq/events/mcp.js";
import { ContentItem } from "./content.js";
import { CustomToolCallOutputItem, FunctionCallOutputItem } from "./response.js";

export const MessageInput = Type.Object(
  {
    type: Type.Literal("message"),
    role: Type.String({ description: "`user`, `developer` or `assistant`." }),
    content: Type.Array(ContentItem, { description: "Content parts." }),
  },
  { $id: "MessageInput", description: "A message to the model." },
);
export interface MessageInput extends Static<typeof MessageInput> {}

export const McpToolCallOutputInput = Type.Object(
  {
    type: Type.Literal("mcp_tool_call_output"),
    call_id: Type.String({ description: "Id of the tool call." }),
    result: Type.Union([CallToolResult, Type.String()], {
      description: "Result of the tool, or the error if the call failed.",
    }),
  },
  { $id: "McpToolCallOutputInput", description: "Output of an MCP tool call." },
);
export interface McpToolCallOutputInput extends Static<typeof McpToolCallOutputInput> {}

/** Input for the next request to the model. */
export type ResponseInputItem =
  | MessageInput
  | FunctionCallOutputItem
  | McpToolCallOutputInput
  | CustomToolCallOutputItem;
export const ResponseInputItem = taggedUnion(
  "ResponseInputItem",
  "type",
  [MessageInput, FunctionCallOutputItem, McpToolCallOutputInput, CustomToolCallOutputItem],
  "Input for the next request to the model.",
);
