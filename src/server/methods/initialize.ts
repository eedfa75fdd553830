import { hostname } from "node:os";
import { readInstallationId } from "../../config/index.js";
import { RpcError, type RpcRequest, rpcCodes } from "../../jsonrpc/index.js";
import type { InitializeParams, InitializeResponse } from "../../protocol/rpc/v2/initialize.js";
import type { Connection } from "../connection.js";
import { warnOfConfig } from "./config.js";

/** Handles `initialize`: stores the client's name and capabilities, and describes the server. */
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
  return {
    userAgent: await connection.userAgent(),
    codexHome: server.home,
    platformFamily: process.platform === "win32" ? "windows" : "unix",
    platformOs: systems[process.platform] ?? process.platform,
    serverInfo: ownName,
  };
}

/** Characters of a header value: the name is sent to the model provider in a header. */
const headerValue = /^[\t\x20-\x7e]*$/;

const systems: Partial<Record<NodeJS.Platform, string>> = { darwin: "macos", win32: "windows" };

/** Notifies that remote control is disabled; there is none. */
function notifyRemoteControl(connection: Connection, installationId: string): void {
  connection.notify("remoteControl/status/changed", remoteControlStatus(installationId));
}

/** Returns the status of remote control. */
export function remoteControlStatus(installationId: string) {
  const status = "disabled" as const;
  return { status, serverName: hostname(), installationId, environmentId: null };
}

/** Name and version of this program, as in `package.json`. */
export const ownName = { name: "quire", version: "0.1.0" } as const;
