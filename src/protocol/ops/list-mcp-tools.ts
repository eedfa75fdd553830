import Type, { type Static } from "typebox";

export const ListMcpToolsOp = Type.Object(
  { type: Type.Literal("list_mcp_tools") },
  {
    $id: "ListMcpToolsOp",
    description: "Asks for the tools of all MCP servers; answered by `mcp_list_tools_response`.",
  },
);
export interface ListMcpToolsOp extends Static<typeof ListMcpToolsOp> {}
