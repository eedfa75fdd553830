import Type, { type Static } from "typebox";
import { Nullable } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { nextCursor, PageParams } from "./common.js";

const server = Type.String({ description: "The server, as the settings name it." });
const threadId = Type.Optional(
  Type.String({ description: "The thread whose folder and settings count." }),
);

export const McpServerInfo = Type.Object(
  {
    name: Type.String({ description: "As the server calls itself." }),
    title: Nullable(Type.String(), { description: "The same for people." }),
    version: Type.String({ description: "Its version." }),
    description: Nullable(Type.String(), { description: "What it is." }),
    icons: Nullable(Type.Array(Type.Unknown()), { description: "Pictures of it." }),
    websiteUrl: Nullable(Type.String(), { description: "Where more is said about it." }),
  },
  { $id: "McpServerInfo", description: "What an MCP server says of itself." },
);
export interface McpServerInfo extends Static<typeof McpServerInfo> {}

export const McpServerStatus = Type.Object(
  {
    name: server,
    runtimeStatus: Type.Null({ description: "Not told; see `mcpServer/startupStatus/updated`." }),
    pluginId: Type.Null({ description: "There are no plugins." }),
    httpOrigin: Nullable(Type.String(), { description: "Where it is; programs are nowhere." }),
    serverInfo: Nullable(McpServerInfo, { description: "Who it is, if it has started." }),
    serverCapabilities: Nullable(Type.Record(Type.String(), Type.Unknown()), {
      description: "What it can do, if it has started.",
    }),
    toolListMeta: Type.Null({ description: "Not kept." }),
    tools: Type.Record(Type.String(), Type.Unknown(), {
      description: "Its tools as it describes them, by their own names.",
    }),
    toolsError: Nullable(Type.String(), { description: "Why it has none." }),
    resources: Type.Array(Type.Unknown(), { description: "What it has to read." }),
    resourceTemplates: Type.Array(Type.Unknown(), { description: "The same as patterns." }),
    authStatus: Type.Enum(["unsupported", "notLoggedIn", "bearerToken", "oAuth"], {
      description: "How it knows who we are.",
    }),
  },
  { $id: "McpServerStatus", description: "An MCP server and what it has." },
);
export interface McpServerStatus extends Static<typeof McpServerStatus> {}

export const ListMcpServerStatusParams = Type.Object(
  {
    ...PageParams,
    detail: Type.Optional(
      Type.Enum(["full", "toolsAndAuthOnly"], { description: "Whether resources are wanted." }),
    ),
    threadId,
    serverName: Type.Optional(Type.String({ description: "Only this server." })),
  },
  { $id: "ListMcpServerStatusParams", description: "Which MCP servers to ask for what." },
);
export interface ListMcpServerStatusParams extends Static<typeof ListMcpServerStatusParams> {}

export const ListMcpServerStatusResponse = Type.Object(
  { data: Type.Array(McpServerStatus, { description: "The servers by name." }), nextCursor },
  { $id: "ListMcpServerStatusResponse", description: "The MCP servers and what they have." },
);
export interface ListMcpServerStatusResponse extends Static<typeof ListMcpServerStatusResponse> {}

export const McpServerOauthLoginParams = Type.Object(
  {
    name: server,
    threadId,
    scopes: Type.Optional(
      Type.Array(Type.String(), { description: "What to ask for, in place of the settings'." }),
    ),
    timeoutSecs: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 86_400, description: "How long the user may take." }),
    ),
  },
  { $id: "McpServerOauthLoginParams", description: "Which server to log in to." },
);
export interface McpServerOauthLoginParams extends Static<typeof McpServerOauthLoginParams> {}

export const McpServerOauthLoginResponse = Type.Object(
  {
    authorizationUrl: Type.String({ description: "To be opened in the user's browser." }),
    loginId: Type.String({ description: "Names the login when it has ended." }),
  },
  { $id: "McpServerOauthLoginResponse", description: "What the user has to do now." },
);
export interface McpServerOauthLoginResponse extends Static<typeof McpServerOauthLoginResponse> {}

export const McpServerOauthLoginCompletedNotification = Type.Object(
  {
    name: server,
    threadId: Nullable(Type.String(), { description: "The thread it was for." }),
    loginId: Type.String({ description: "Which login." }),
    success: Type.Boolean({ description: "Whether it is stored." }),
    error: Type.Optional(Type.String({ description: "Why not." })),
  },
  {
    $id: "McpServerOauthLoginCompletedNotification",
    description: "A login to an MCP server has ended.",
  },
);
export interface McpServerOauthLoginCompletedNotification
  extends Static<typeof McpServerOauthLoginCompletedNotification> {}

export const McpResourceReadParams = Type.Object(
  { threadId, server, uri: Type.String({ description: "The resource." }) },
  { $id: "McpResourceReadParams", description: "What to read." },
);
export interface McpResourceReadParams extends Static<typeof McpResourceReadParams> {}

export const McpResourceReadResponse = Type.Object(
  {
    contents: Type.Array(Type.Unknown(), { description: "The parts, each `text` or `blob`." }),
    originCallId: Type.Null({ description: "No call has led to it." }),
  },
  { $id: "McpResourceReadResponse", description: "What a resource says." },
);
export interface McpResourceReadResponse extends Static<typeof McpResourceReadResponse> {}

export const McpServerToolCallParams = Type.Object(
  {
    threadId: Type.String({ description: "The thread whose folder and settings count." }),
    server,
    tool: Type.String({ description: "The tool, by the server's name for it." }),
    arguments: Type.Optional(Type.Unknown({ description: "What it is given." })),
  },
  { $id: "McpServerToolCallParams", description: "Which tool to call with what." },
);
export interface McpServerToolCallParams extends Static<typeof McpServerToolCallParams> {}

export const McpServerToolCallResponse = Type.Object(
  {
    content: Type.Array(Type.Unknown(), { description: "What it answered, in parts." }),
    structuredContent: Type.Optional(Type.Unknown({ description: "The same as data." })),
    isError: Type.Optional(Type.Boolean({ description: "Whether it failed." })),
    _meta: Type.Optional(Type.Unknown({ description: "What the server says beside." })),
  },
  { $id: "McpServerToolCallResponse", description: "What a tool answered." },
);
export interface McpServerToolCallResponse extends Static<typeof McpServerToolCallResponse> {}

export const mcpServerMethods = [
  defineMethod({
    name: "mcpServerStatus/list",
    summary: "Lists MCP servers with their tools, resources and sign-in status.",
    scope: "server",
    params: ListMcpServerStatusParams,
    result: ListMcpServerStatusResponse,
  }),
  defineMethod({
    name: "mcpServer/oauth/login",
    summary: "Starts a browser login to an MCP server.",
    scope: "server",
    params: McpServerOauthLoginParams,
    result: McpServerOauthLoginResponse,
  }),
  defineMethod({
    name: "mcpServer/resource/read",
    summary: "Reads a resource of an MCP server.",
    scope: "server",
    params: McpResourceReadParams,
    result: McpResourceReadResponse,
  }),
  defineMethod({
    name: "mcpServer/tool/call",
    summary: "Calls a tool of an MCP server directly, without the model.",
    scope: "server",
    params: McpServerToolCallParams,
    result: McpServerToolCallResponse,
  }),
  defineNotification({
    name: "mcpServer/oauthLogin/completed",
    summary: "A login to an MCP server succeeded or failed.",
    scope: "server",
    params: McpServerOauthLoginCompletedNotification,
  }),
];
