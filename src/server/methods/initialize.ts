import { hostname } from "node:os";
import { readInstallationId } from "../../config/index.js";
import { RpcError, type RpcRequest, rpcCodes } from "../../jsonrpc/index.js";
import type { InitializeParams, InitializeResponse } from "../../protocol/rpc/v2/initialize.js";
import type { Connection } from "../connection.js";
import { warnOfConfig } from "./config.js";

/** Takes in who the client is, once, and says who answers it. */
export async function initialize(
  { clientInfo, capabilities = {} }: InitializeParams,
  connection: Connection,
  request: RpcRequest,
): Promise<InitializeResponse> {
  if (!headerValue.test(clientInfo.name)) {
    throw new RpcError(
      rpcCodes.invalidRequest,
      `Invalid clientInfo.name: '${clientInfo.name}'. Must be a valid HTTP header value.`,
    );
  }
  const { server } = connection;
  connection.client = clientInfo;
  connection.capabilities = capabilities;
  server.skillWatch.look();
  const isSteered = server.parts.era.v2.remoteControlStatus;
  const installationId = isSteered ? await readInstallationId(server.home) : "";
  request.afterReply(() => {
    if (isSteered) notifyRemoteControl(connection, installationId);
    warnOfConfig(connection).catch((error: Error) => {
      connection.notify("warning", { threadId: null, message: error.message });
    });
  });
  return connection.inEra("InitializeResponse", {
    userAgent: await connection.userAgent(),
    codexHome: server.home,
    platformFamily: process.platform === "win32" ? "windows" : "unix",
    platformOs: systems[process.platform] ?? process.platform,
    serverInfo: ownName,
  });
}

/** The name is sent to the model's server in a header. */
const headerValue = /^[\t\x20-\x7e]*$/;

const systems: Partial<Record<NodeJS.Platform, string>> = { darwin: "macos", win32: "windows" };

/** Nobody steers us from afar; clients that ask for the state are told so. */
function notifyRemoteControl(connection: Connection, installationId: string): void {
  connection.notify("remoteControl/status/changed", {
    status: "disabled",
    serverName: hostname(),
    installationId,
    environmentId: null,
  });
}

/** What this program is called, and its version as in `package.json`. */
export const ownName = { name: "quire", version: "0.1.0" } as const;
