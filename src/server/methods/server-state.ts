import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { readInstallationId } from "../../config/index.js";
import { CodexError } from "../../protocol/error.js";
import type {
  EnvironmentInfoResponse,
  EnvironmentParams,
  EnvironmentStatusResponse,
  ServerDiagnosticsResponse,
} from "../../protocol/rpc/v2/server-state.js";
import type { Connection, V2Handlers } from "../connection.js";
import { remoteControlStatus } from "./initialize.js";

/** Handlers that describe the server and the machine that commands run on. */
export const serverStateHandlers = {
  "server/diagnostics": diagnose,
  "environment/info": describeEnvironment,
  "environment/status": environmentStatus,
  "remoteControl/status/read": async (_, { server }) =>
    remoteControlStatus(await readInstallationId(server.home)),
} satisfies Partial<V2Handlers>;

function diagnose(_: object, { server }: Connection): ServerDiagnosticsResponse {
  const threads = server.threads.all();
  return {
    process: {
      id: process.pid,
      residentMemoryBytes: process.memoryUsage.rss(),
      physicalFootprintBytes: null,
    },
    gauges: [
      { name: "app.requests.in_flight", value: server.requestsInFlight },
      { name: "app.requests.queued", value: 0 }, // requests start as they arrive
      { name: "core.threads.live", value: threads.length },
      { name: "core.turns.active", value: threads.filter(({ isBusy }) => isBusy).length },
    ],
  };
}

async function describeEnvironment(
  { environmentId }: EnvironmentParams,
  { server }: Connection,
): Promise<EnvironmentInfoResponse> {
  assertLocal(environmentId);
  const { userShellPath } = await import("../../engine/local/user-shell.js");
  const path = userShellPath();
  return { shell: { name: basename(path), path }, cwd: pathToFileURL(server.parts.cwd).href };
}

function environmentStatus({ environmentId }: EnvironmentParams): EnvironmentStatusResponse {
  assertLocal(environmentId);
  return { status: "ready" };
}

function assertLocal(environmentId: string): void {
  if (environmentId === "local") return;
  throw new CodexError("invalid_request", `unknown environment id \`${environmentId}\``);
}
