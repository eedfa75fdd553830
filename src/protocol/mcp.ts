import Type, { type Static } from "typebox";

export const McpInvocation = Type.Object(
  {
    server: Type.String({ description: "The MCP server, as the config names it." }),
    tool: Type.String({ description: "The tool, as its server names it." }),
    arguments: Type.Optional(
      Type.Unknown({ description: "What the tool is given; absent or `null` when nothing." }),
    ),
  },
  { $id: "McpInvocation", description: "A call of a tool of an MCP server." },
);
export interface McpInvocation extends Static<typeof McpInvocation> {}

export const McpContentBlock = Type.Object(
  { type: Type.String({ description: "`text`, `image`, `audio`, `resource`, `resource_link`…" }) },
  { $id: "McpContentBlock", description: "A part of an MCP result, as MCP defines it." },
);
export interface McpContentBlock extends Static<typeof McpContentBlock> {
  [field: string]: unknown;
}

export const CallToolResult = Type.Object(
  {
    content: Type.Array(McpContentBlock, { description: "What the tool answered." }),
    isError: Type.Optional(Type.Boolean({ description: "Whether the tool says it failed." })),
    structuredContent: Type.Optional(
      Type.Unknown({ description: "The same answer for a program, if the tool gives one." }),
    ),
    _meta: Type.Optional(Type.Unknown({ description: "What MCP adds for itself." })),
  },
  { $id: "CallToolResult", description: "What a tool of an MCP server answered." },
);
export interface CallToolResult extends Static<typeof CallToolResult> {
  content: McpContentBlock[];
}

export const McpTool = Type.Object(
  {
    name: Type.String({ description: "The tool, as its server names it." }),
    title: Type.Optional(Type.String({ description: "Its name for a person." })),
    description: Type.Optional(Type.String({ description: "What it does." })),
    inputSchema: Type.Unknown({ description: "The JSON Schema of its arguments." }),
    outputSchema: Type.Optional(Type.Unknown({ description: "The JSON Schema of its answer." })),
    annotations: Type.Optional(Type.Unknown({ description: "Hints, such as `readOnlyHint`." })),
  },
  { $id: "McpTool", description: "A tool of an MCP server." },
);
export interface McpTool extends Static<typeof McpTool> {}
