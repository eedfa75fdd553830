import Type, { type Static } from "typebox";
import { Nullable, since } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { nextCursor, PageParams } from "./common.js";

const server = Type.String({ description: "Name of the server in the config." });
const threadId = Type.Optional(
  Type.String({ description: "Thread whose working directory and settings apply." }),
);

export const McpServerInfo = Type.Object(
  {
    name: Type.String({ description: "Name reported by the server." }),
    title: Nullable(Type.String(), { description: "Display name." }),
    version: Type.String({ description: "Version." }),
    description: Nullable(Type.String(), { description: "Kind of entry." }),
    icons: Nullable(Type.Array(Type.Unknown()), { description: "Icons." }),
    websiteUrl: Nullable(Type.String(), { description: "Website." }),
  },
  { $id: "McpServerInfo", description: "Information reported by an MCP server." },
);
export interface McpServerInfo extends Static<typeof McpServerInfo> {}

export const McpServerStatus = Type.Object(
  {
    name: server,
    runtimeStatus: since(
      "0.166",
      Type.Null({ description: "Always null; see `mcpServer/startupStatus/updated`." }),
    ),
    pluginId: since("0.166", Type.Null({ description: "Always null." })),
    httpOrigin: since(
      "0.166",
      Nullable(Type.String(), {
        description: "Origin of an HTTP server; null for a local process.",
      }),
    ),
    serverInfo: since(
      "0.166",
      Nullable(McpServerInfo, { description: "Server information, if it has started." }),
    ),
    serverCapabilities: since(
      "0.166",
      Nullable(Type.Record(Type.String(), Type.Unknown()), {
        description: "MCP capabilities, if it has started.",
      }),
    ),
    toolListMeta: since("0.166", Type.Null({ description: "Always null." })),
    tools: Type.Record(Type.String(), Type.Unknown(), {
      description: "Tools by name, as described by the server.",
    }),
    toolsError: since(
      "0.166",
      Nullable(Type.String(), { description: "Error, if the tools could not be listed." }),
    ),
    resources: Type.Array(Type.Unknown(), { description: "Resources." }),
    resourceTemplates: Type.Array(Type.Unknown(), { description: "Resource templates." }),
    authStatus: Type.Enum(["unsupported", "notLoggedIn", "bearerToken", "oAuth"], {
      description: "Sign-in status.",
    }),
  },
  { $id: "McpServerStatus", description: "An MCP server with its tools and resources." },
);
export interface McpServerStatus extends Static<typeof McpServerStatus> {}

export const ListMcpServerStatusParams = Type.Object(
  {
    ...PageParams,
    detail: Type.Optional(
      Type.Enum(["full", "toolsAndAuthOnly"], { description: "`full` includes resources." }),
    ),
    threadId,
    serverName: Type.Optional(Type.String({ description: "Limits the list to this server." })),
  },
  { $id: "ListMcpServerStatusParams", description: "Params of `mcpServerStatus/list`." },
);
export interface ListMcpServerStatusParams extends Static<typeof ListMcpServerStatusParams> {}

export const ListMcpServerStatusResponse = Type.Object(
  { data: Type.Array(McpServerStatus, { description: "Servers, sorted by name." }), nextCursor },
  { $id: "ListMcpServerStatusResponse", description: "Result of `mcpServerStatus/list`." },
);
export interface ListMcpServerStatusResponse extends Static<typeof ListMcpServerStatusResponse> {}

export const McpServerOauthLoginParams = Type.Object(
  {
    name: server,
    threadId,
    scopes: Type.Optional(
      Type.Array(Type.String(), { description: "OAuth scopes. Default: those of the config." }),
    ),
    timeoutSecs: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 86_400, description: "Time limit in seconds." }),
    ),
  },
  { $id: "McpServerOauthLoginParams", description: "Params of `mcpServer/oauth/login`." },
);
export interface McpServerOauthLoginParams extends Static<typeof McpServerOauthLoginParams> {}

export const McpServerOauthLoginResponse = Type.Object(
  {
    authorizationUrl: Type.String({ description: "URL to open in the user's browser." }),
    loginId: since(
      "0.166",
      Type.String({ description: "Login id, repeated in `mcpServer/oauthLogin/completed`." }),
    ),
  },
  { $id: "McpServerOauthLoginResponse", description: "Result of `mcpServer/oauth/login`." },
);
export interface McpServerOauthLoginResponse extends Static<typeof McpServerOauthLoginResponse> {}

export const McpServerOauthLoginCompletedNotification = Type.Object(
  {
    name: server,
    threadId: since("0.166", Nullable(Type.String(), { description: "Thread id, if any." })),
    loginId: since("0.166", Type.String({ description: "Login id." })),
    success: Type.Boolean({ description: "True if the login succeeded." }),
    error: Type.Optional(Type.String({ description: "Error message." })),
  },
  {
    $id: "McpServerOauthLoginCompletedNotification",
    description: "A login to an MCP server succeeded or failed.",
  },
);
export interface McpServerOauthLoginCompletedNotification
  extends Static<typeof McpServerOauthLoginCompletedNotification> {}

export const McpResourceReadParams = Type.Object(
  { threadId, server, uri: Type.String({ description: "URI of the resource." }) },
  { $id: "McpResourceReadParams", description: "Params of `mcpServer/resource/read`." },
);
export interface McpResourceReadParams extends Static<typeof McpResourceReadParams> {}

export const McpResourceReadResponse = Type.Object(
  {
    contents: Type.Array(Type.Unknown(), { description: "Contents, each with `text` or `blob`." }),
    originCallId: Type.Null({ description: "Always null." }),
  },
  { $id: "McpResourceReadResponse", description: "Result of `mcpServer/resource/read`." },
);
export interface McpResourceReadResponse extends Static<typeof McpResourceReadResponse> {}

export const McpServerToolCallParams = Type.Object(
  {
    threadId: Type.String({ description: "Thread whose working directory and settings apply." }),
    server,
    tool: Type.String({ description: "Name of the tool on the server." }),
    arguments: Type.Optional(Type.Unknown({ description: "Arguments." })),
  },
  { $id: "McpServerToolCallParams", description: "Params of `mcpServer/tool/call`." },
);
export interface McpServerToolCallParams extends Static<typeof McpServerToolCallParams> {}

export const McpServerToolCallResponse = Type.Object(
  {
    content: Type.Array(Type.Unknown(), { description: "Content blocks." }),
    structuredContent: Type.Optional(Type.Unknown({ description: "Structured result." })),
    isError: Type.Optional(Type.Boolean({ description: "True if the tool reports an error." })),
    _meta: Type.Optional(Type.Unknown({ description: "MCP metadata." })),
  },
  { $id: "McpServerToolCallResponse", description: "Result of `mcpServer/tool/call`." },
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
    since: "0.166",
  }),
  defineMethod({
    name: "mcpServer/tool/call",
    summary: "Calls a tool of an MCP server directly, without the model.",
    scope: "thread",
    params: McpServerToolCallParams,
    result: McpServerToolCallResponse,
    since: "0.166",
  }),
  defineNotification({
    name: "mcpServer/oauthLogin/completed",
    summary: "A login to an MCP server succeeded or failed.",
    scope: "server",
    params: McpServerOauthLoginCompletedNotification,
  }),
];
