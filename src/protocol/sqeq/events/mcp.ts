import Type, { type Static } from "typebox";
import { described, since, taggedUnion } from "../../schema.js";
import { callId, Duration } from "./fields.js";

export const McpInvocation = Type.Object(
  {
    server: Type.String({ description: "Name of the MCP server in the config." }),
    tool: Type.String({ description: "Name of the tool on the server." }),
    arguments: Type.Optional(Type.Unknown({ description: "Arguments of the tool, if any." })),
  },
  { $id: "McpInvocation", description: "An MCP tool call." },
);
export interface McpInvocation extends Static<typeof McpInvocation> {}

export const McpContentBlock = Type.Object(
  {
    type: Type.String({
      description: "Type: `text`, `image`, `audio`, `resource`, `resource_link`…",
    }),
  },
  { $id: "McpContentBlock", description: "A content block as defined by MCP." },
);
export interface McpContentBlock extends Static<typeof McpContentBlock> {
  [field: string]: unknown;
}

export const CallToolResult = Type.Object(
  {
    content: Type.Array(McpContentBlock, { description: "Output of the tool." }),
    isError: Type.Optional(Type.Boolean({ description: "True if the tool reports an error." })),
    structuredContent: Type.Optional(
      Type.Unknown({ description: "Structured result, if the tool returns one." }),
    ),
    _meta: Type.Optional(Type.Unknown({ description: "MCP metadata." })),
  },
  { $id: "CallToolResult", description: "Result of an MCP tool call." },
);
export interface CallToolResult extends Static<typeof CallToolResult> {
  content: McpContentBlock[];
}

export const McpTool = Type.Object(
  {
    name: Type.String({ description: "Name of the tool on the server." }),
    title: Type.Optional(Type.String({ description: "Display name." })),
    description: Type.Optional(Type.String({ description: "Description." })),
    inputSchema: Type.Unknown({ description: "JSON Schema of the arguments." }),
    outputSchema: Type.Optional(Type.Unknown({ description: "JSON Schema of the result." })),
    annotations: Type.Optional(
      Type.Unknown({ description: "MCP annotations, such as `readOnlyHint`." }),
    ),
  },
  { $id: "McpTool", description: "A tool of an MCP server." },
);
export interface McpTool extends Static<typeof McpTool> {}

const readOnlyHint = Type.Optional(
  Type.Boolean({ description: "`readOnlyHint` annotation of the tool, if any." }),
);

export const McpToolCallBeginEvent = Type.Object(
  {
    type: Type.Literal("mcp_tool_call_begin"),
    call_id: callId,
    invocation: described(McpInvocation, "The call."),
    read_only_hint: readOnlyHint,
  },
  { $id: "McpToolCallBeginEvent", description: "An MCP tool call started." },
);
export interface McpToolCallBeginEvent extends Static<typeof McpToolCallBeginEvent> {}

export const McpToolCallProgressEvent = since(
  "current",
  Type.Object(
    {
      type: Type.Literal("mcp_tool_call_progress"),
      call_id: callId,
      message: Type.String({ description: "Progress message of the server." }),
    },
    { $id: "McpToolCallProgressEvent", description: "Progress of an MCP tool call." },
  ),
);
export interface McpToolCallProgressEvent extends Static<typeof McpToolCallProgressEvent> {}

export const McpToolCallEndEvent = Type.Object(
  {
    type: Type.Literal("mcp_tool_call_end"),
    call_id: callId,
    invocation: described(McpInvocation, "The call."),
    duration: described(Duration, "Duration."),
    result: Type.Union([CallToolResult, Type.String()], {
      description: "Result of the tool, or the error if the call failed.",
    }),
    read_only_hint: readOnlyHint,
  },
  { $id: "McpToolCallEndEvent", description: "An MCP tool call ended." },
);
export interface McpToolCallEndEvent extends Static<typeof McpToolCallEndEvent> {
  result: CallToolResult | string;
}

export const McpListToolsResponseEvent = Type.Object(
  {
    type: Type.Literal("mcp_list_tools_response"),
    tools: Type.Record(Type.String(), McpTool, {
      description: "Tools by the name that the model uses.",
    }),
  },
  { $id: "McpListToolsResponseEvent", description: "Response to `list_mcp_tools`." },
);
export interface McpListToolsResponseEvent extends Static<typeof McpListToolsResponseEvent> {}

export const McpStarting = Type.Object(
  { state: Type.Literal("starting") },
  { $id: "McpStarting", description: "The server is starting." },
);
export interface McpStarting extends Static<typeof McpStarting> {}

export const McpReady = Type.Object(
  { state: Type.Literal("ready") },
  { $id: "McpReady", description: "The server is ready." },
);
export interface McpReady extends Static<typeof McpReady> {}

export const McpFailed = Type.Object(
  {
    state: Type.Literal("failed"),
    error: Type.String({ description: "Why." }),
  },
  { $id: "McpFailed", description: "The server failed to start." },
);
export interface McpFailed extends Static<typeof McpFailed> {}

export const McpCancelled = Type.Object(
  { state: Type.Literal("cancelled") },
  { $id: "McpCancelled", description: "The start was cancelled." },
);
export interface McpCancelled extends Static<typeof McpCancelled> {}

/** Startup status of an MCP server. */
export type McpStartupStatus = McpStarting | McpReady | McpFailed | McpCancelled;
export const McpStartupStatus = taggedUnion(
  "McpStartupStatus",
  "state",
  [McpStarting, McpReady, McpFailed, McpCancelled],
  "Startup status of an MCP server.",
);

export const McpStartupUpdateEvent = Type.Object(
  {
    type: Type.Literal("mcp_startup_update"),
    server: Type.String({ description: "Name of the server." }),
    status: described(McpStartupStatus, "Status."),
  },
  { $id: "McpStartupUpdateEvent", description: "The startup status of an MCP server changed." },
);
export interface McpStartupUpdateEvent extends Static<typeof McpStartupUpdateEvent> {}

export const McpStartupFailure = Type.Object(
  {
    server: Type.String({ description: "Name of the server." }),
    error: Type.String({ description: "Error message." }),
  },
  { $id: "McpStartupFailure", description: "An MCP server that failed to start." },
);
export interface McpStartupFailure extends Static<typeof McpStartupFailure> {}

export const McpStartupCompleteEvent = Type.Object(
  {
    type: Type.Literal("mcp_startup_complete"),
    ready: Type.Array(Type.String(), { description: "Servers that are ready." }),
    failed: Type.Array(McpStartupFailure, { description: "Servers that failed to start." }),
    cancelled: Type.Array(Type.String(), { description: "Servers whose start was cancelled." }),
  },
  { $id: "McpStartupCompleteEvent", description: "All MCP servers have started or failed." },
);
export interface McpStartupCompleteEvent extends Static<typeof McpStartupCompleteEvent> {}

export const ElicitationRequestEvent = Type.Object(
  {
    type: Type.Literal("elicitation_request"),
    server_name: Type.String({ description: "Name of the server." }),
    id: Type.Union([Type.String(), Type.Number()], { description: "Request id." }),
    message: Type.String({ description: "Message to the user." }),
    requested_schema: Type.Optional(
      Type.Unknown({ description: "JSON Schema of the requested values." }),
    ),
  },
  {
    $id: "ElicitationRequestEvent",
    description: "An MCP server requests input from the user. Answered by `resolve_elicitation`.",
  },
);
export interface ElicitationRequestEvent extends Static<typeof ElicitationRequestEvent> {}
