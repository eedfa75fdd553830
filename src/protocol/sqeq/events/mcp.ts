import Type, { type Static } from "typebox";
import { described, taggedUnion } from "../../schema.js";
import { callId, Duration } from "./fields.js";

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

const readOnlyHint = Type.Optional(
  Type.Boolean({ description: "Whether the tool says that it only reads, if it says so." }),
);

export const McpToolCallBeginEvent = Type.Object(
  {
    type: Type.Literal("mcp_tool_call_begin"),
    call_id: callId,
    invocation: described(McpInvocation, "What is called."),
    read_only_hint: readOnlyHint,
  },
  { $id: "McpToolCallBeginEvent", description: "A tool of an MCP server is called." },
);
export interface McpToolCallBeginEvent extends Static<typeof McpToolCallBeginEvent> {}

export const McpToolCallProgressEvent = Type.Object(
  {
    type: Type.Literal("mcp_tool_call_progress"),
    call_id: callId,
    message: Type.String({ description: "What the server says of how far it is." }),
  },
  { $id: "McpToolCallProgressEvent", description: "A call of an MCP tool goes on." },
);
export interface McpToolCallProgressEvent extends Static<typeof McpToolCallProgressEvent> {}

export const McpToolCallEndEvent = Type.Object(
  {
    type: Type.Literal("mcp_tool_call_end"),
    call_id: callId,
    invocation: described(McpInvocation, "What was called."),
    duration: described(Duration, "How long it took."),
    result: Type.Union([CallToolResult, Type.String()], {
      description: "What the tool answered, or why it could not be called.",
    }),
    read_only_hint: readOnlyHint,
  },
  { $id: "McpToolCallEndEvent", description: "A tool of an MCP server answered." },
);
export interface McpToolCallEndEvent extends Static<typeof McpToolCallEndEvent> {
  result: CallToolResult | string;
}

export const McpListToolsResponseEvent = Type.Object(
  {
    type: Type.Literal("mcp_list_tools_response"),
    tools: Type.Record(Type.String(), McpTool, {
      description: "The tools by the name the model calls them.",
    }),
  },
  { $id: "McpListToolsResponseEvent", description: "Answers `list_mcp_tools`." },
);
export interface McpListToolsResponseEvent extends Static<typeof McpListToolsResponseEvent> {}

export const McpStarting = Type.Object(
  { state: Type.Literal("starting") },
  { $id: "McpStarting", description: "It is being started." },
);
export interface McpStarting extends Static<typeof McpStarting> {}

export const McpReady = Type.Object(
  { state: Type.Literal("ready") },
  { $id: "McpReady", description: "Its tools can be used." },
);
export interface McpReady extends Static<typeof McpReady> {}

export const McpFailed = Type.Object(
  {
    state: Type.Literal("failed"),
    error: Type.String({ description: "Why." }),
  },
  { $id: "McpFailed", description: "It did not start." },
);
export interface McpFailed extends Static<typeof McpFailed> {}

export const McpCancelled = Type.Object(
  { state: Type.Literal("cancelled") },
  { $id: "McpCancelled", description: "Its start was given up." },
);
export interface McpCancelled extends Static<typeof McpCancelled> {}

/** How far an MCP server has come with starting. */
export type McpStartupStatus = McpStarting | McpReady | McpFailed | McpCancelled;
export const McpStartupStatus = taggedUnion(
  "McpStartupStatus",
  "state",
  [McpStarting, McpReady, McpFailed, McpCancelled],
  "How far an MCP server has come with starting.",
);

export const McpStartupUpdateEvent = Type.Object(
  {
    type: Type.Literal("mcp_startup_update"),
    server: Type.String({ description: "The server." }),
    status: described(McpStartupStatus, "How far it has come."),
  },
  { $id: "McpStartupUpdateEvent", description: "An MCP server has come further with starting." },
);
export interface McpStartupUpdateEvent extends Static<typeof McpStartupUpdateEvent> {}

export const McpStartupFailure = Type.Object(
  {
    server: Type.String({ description: "The server." }),
    error: Type.String({ description: "Why it did not start." }),
  },
  { $id: "McpStartupFailure", description: "An MCP server that did not start." },
);
export interface McpStartupFailure extends Static<typeof McpStartupFailure> {}

export const McpStartupCompleteEvent = Type.Object(
  {
    type: Type.Literal("mcp_startup_complete"),
    ready: Type.Array(Type.String(), { description: "Servers that can be used." }),
    failed: Type.Array(McpStartupFailure, { description: "Servers that did not start." }),
    cancelled: Type.Array(Type.String(), { description: "Servers that were given up." }),
  },
  { $id: "McpStartupCompleteEvent", description: "All MCP servers have started or failed." },
);
export interface McpStartupCompleteEvent extends Static<typeof McpStartupCompleteEvent> {}

export const ElicitationRequestEvent = Type.Object(
  {
    type: Type.Literal("elicitation_request"),
    server_name: Type.String({ description: "The server that asks." }),
    id: Type.Union([Type.String(), Type.Number()], { description: "Names the request." }),
    message: Type.String({ description: "What it asks." }),
    requested_schema: Type.Optional(
      Type.Unknown({ description: "The JSON Schema of what is to be filled in." }),
    ),
  },
  {
    $id: "ElicitationRequestEvent",
    description: "An MCP server asks the user something; answered by `resolve_elicitation`.",
  },
);
export interface ElicitationRequestEvent extends Static<typeof ElicitationRequestEvent> {}
