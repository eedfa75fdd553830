import {
  createPeer,
  type Handlers,
  type Notification,
  type Peer,
  RpcError,
  type RpcRequest,
  rpcCodes,
  standardErrors,
} from "../../jsonrpc/index.js";
import { isRecord } from "../../protocol/read/check.js";
import { v1Methods } from "../../protocol/rpc/v1/methods.generated.js";
import type { InitializeParams } from "../../protocol/rpc/v1/system.js";
import type { Channel } from "../../transport/index.js";
import { Connection } from "../connection.js";
import { mergeDeltas } from "../feed/legacy.js";
import { assertNotDisconnected, type Server, whenReady } from "../server.js";
import { createV1Methods } from "../v1/index.js";
import { ConversationListeners } from "../v1/message.js";
import { callTool, readCall } from "./call-tool.js";
import { listTools } from "./tools.js";

/**
 * Serves MCP to one client: two tools, and the v1 methods. Resolves when the client has closed its
 * side.
 */
export async function serveMcp(channel: Channel, server: Server): Promise<void> {
  const { rpc } = server.parts.era;
  const methods = createV1Methods(() => listeners, standardErrors).add<McpMethods>(
    {
      initialize: v1Methods.initialize,
      ping: {},
      "tools/list": {},
      "tools/call": { check: readCall },
    },
    mcpHandlers,
  );
  const peer: Peer = createPeer(channel, {
    writesVersion: true,
    batches: "accept",
    merge: mergeDeltas,
    onRequest: (request) => whenReady(request, server, () => methods.call(request, connection)),
    onNotification: (notification) => onNotification(notification, peer),
    ...(rpc.answersMalformed ? {} : { onMalformed: () => undefined }),
  });
  const connection = new Connection(server, peer);
  const listeners = new ConversationListeners(connection, { isAppServer: false });
  server.addPeer(peer);
  await peer.ended;
  await peer.close();
  assertNotDisconnected(peer);
}

/** Methods of MCP itself. */
interface McpMethods {
  initialize: { params: InitializeParams; result: McpServerDescription };
  ping: { params: unknown; result: Record<string, never> };
  "tools/list": { params: unknown; result: { tools: ReturnType<typeof listTools> } };
  "tools/call": {
    params: ReturnType<typeof readCall>;
    result: Awaited<ReturnType<typeof callTool>>;
  };
}

const mcpHandlers: Handlers<McpMethods, Connection> = {
  initialize({ clientInfo }, connection, request) {
    if (connection.client !== undefined) {
      throw new RpcError(rpcCodes.invalidRequest, "initialize called more than once");
    }
    connection.client = clientInfo;
    return describeServer(connection, request);
  },
  ping: () => ({}),
  "tools/list": (_, { server }) => ({ tools: listTools(server.parts.era.rpc) }),
  "tools/call": (params, connection, request) => callTool(params, connection, request),
};

type McpServerDescription = Awaited<ReturnType<typeof describeServer>>;

async function describeServer(connection: Connection, { params }: RpcRequest) {
  const asked = isRecord(params) ? params.protocolVersion : undefined;
  return {
    capabilities: { tools: { listChanged: true } },
    protocolVersion: typeof asked === "string" ? asked : newestVersion,
    serverInfo: {
      name: "codex-mcp-server",
      title: "Codex",
      version: connection.server.parts.era.compatibleWith,
      user_agent: await connection.userAgent(),
    },
  };
}

/** Default for a client that requests no protocol version. */
const newestVersion = "2025-06-18";

function onNotification({ method, params }: Notification, peer: Peer): void {
  if (method !== "notifications/cancelled" || !isRecord(params)) return;
  const { requestId } = params;
  if (typeof requestId !== "string" && typeof requestId !== "number") return;
  peer.cancel(requestId, new RpcError(rpcCodes.invalidRequest, "The client cancelled the request"));
}
