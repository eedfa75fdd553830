import { RpcError, type RpcRequest, rpcCodes } from "../../jsonrpc/index.js";
import { errorText } from "../../lib/errors.js";
import { CodexError } from "../../protocol/error.js";
import type {
  ListMcpServerStatusParams,
  ListMcpServerStatusResponse,
  McpServerInfo,
  McpServerOauthLoginParams,
  McpServerOauthLoginResponse,
  McpServerStatus,
} from "../../protocol/rpc/v2/mcp-server.js";
import type { Connection, V2Handlers } from "../connection.js";
import type { McpServerReport } from "../mcp-desk.js";
import type { Server } from "../server.js";
import { configFor } from "./config.js";
import { pageOf, startOf } from "./page.js";

/** Handlers of the MCP server methods. */
export const mcpServerHandlers = {
  "mcpServerStatus/list": listStatus,
  "mcpServer/oauth/login": login,
  "mcpServer/resource/read": async ({ threadId, server: name, uri }, connection, request) => {
    const config = await configFor(connection, threadId);
    const desk = await connection.server.parts.mcpDesk();
    const { contents } = await desk.readResource(config, { server: name, uri }, request.signal);
    return { contents, originCallId: null };
  },
  "mcpServer/tool/call": async (params, connection, request) => {
    const { threadId, server: name, tool, arguments: given } = params;
    const config = await configFor(connection, threadId);
    const desk = await connection.server.parts.mcpDesk();
    const invocation = { server: name, tool, arguments: given };
    const result = await desk.call(config, invocation, request.signal);
    if (typeof result !== "string") return result;
    throw new RpcError(rpcCodes.internal, result);
  },
  "config/mcpServer/reload": async (_, { server }) => {
    await reload(server);
    return {};
  },
} satisfies Partial<V2Handlers>;

/** Applies the current settings to loaded threads; if they are invalid, nothing changes. */
async function reload({ parts }: Server): Promise<void> {
  try {
    await parts.loadConfig({ type: "configure_session" }); // reports invalid settings even if no thread is loaded
    await parts.reloadSettings();
  } catch (error) {
    if (!(error instanceof CodexError) || error.code !== "config") throw error;
    const message = `failed to refresh MCP servers: ${error.message}`;
    throw new RpcError(rpcCodes.internal, message, error.data);
  }
}

async function listStatus(
  { detail = "full", threadId, serverName, ...page }: ListMcpServerStatusParams,
  connection: Connection,
  { signal }: RpcRequest,
): Promise<ListMcpServerStatusResponse> {
  const { server } = connection;
  startOf(page.cursor);
  const config = await configFor(connection, threadId);
  const desk = await server.parts.mcpDesk();
  const withResources = detail === "full";
  const reports = await desk.report(config, { only: serverName, withResources, signal });
  const statuses = reports.map((report) => toStatus(report));
  return pageOf(statuses, page, "MCP servers");
}

function toStatus(report: McpServerReport): McpServerStatus {
  const { name, facts, failure, httpOrigin, tools, authStatus } = report;
  return {
    name,
    runtimeStatus: null,
    pluginId: null,
    httpOrigin: httpOrigin ?? null,
    serverInfo: facts?.info === undefined ? null : toInfo(facts.info),
    serverCapabilities: facts?.capabilities ?? null,
    toolListMeta: null,
    tools,
    toolsError: failure ?? null,
    resources: report.resources,
    resourceTemplates: report.resourceTemplates,
    authStatus,
  };
}

function toInfo(info: Record<string, unknown>): McpServerInfo {
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  return {
    name: text(info.name) ?? "",
    title: text(info.title),
    version: text(info.version) ?? "",
    description: text(info.description),
    icons: Array.isArray(info.icons) ? info.icons : null,
    websiteUrl: text(info.websiteUrl),
  };
}

async function login(
  { name, threadId, scopes, timeoutSecs }: McpServerOauthLoginParams,
  connection: Connection,
): Promise<McpServerOauthLoginResponse> {
  const { server, peer } = connection;
  const config = await configFor(connection, threadId);
  const desk = await server.parts.mcpDesk();
  const { authorizationUrl, finished } = await desk.login(config, name, {
    scopes,
    timeoutMs: timeoutSecs === undefined ? undefined : timeoutSecs * 1000,
    signal: peer.signal, // a client that disconnects cancels the login
  });
  const loginId = server.parts.newId();
  const notifyEnd = (end: { success: boolean; error?: string }) => {
    const params = { name, threadId: threadId ?? null, loginId, ...end };
    server.notifyAll("mcpServer/oauthLogin/completed", params);
  };
  finished.then(
    () => notifyEnd({ success: true }),
    (error: unknown) => notifyEnd({ success: false, error: errorText(error) }),
  );
  return { authorizationUrl, loginId };
}
