import { realpath } from "node:fs/promises";
import { relative, resolve } from "node:path";
import type { EngineParts } from "../../engine/index.js";
import { RpcError, type RpcRequest, rpcCodes } from "../../jsonrpc/index.js";
import { toDynamicTools } from "../../protocol/read/dynamic-tool.js";
import type { Thread as WireThread } from "../../protocol/rpc/v2/thread.js";
import type {
  ThreadResumeParams,
  ThreadStartParams,
  ThreadStartResponse,
} from "../../protocol/rpc/v2/thread-start.js";
import type { ConfigureSessionOp } from "../../protocol/types.js";
import type { Connection, V2Handlers } from "../connection.js";
import type { Server } from "../server.js";
import type { Thread } from "../thread/thread.js";
import {
  assertOnlyProfile,
  toEngineApproval,
  toEngineReviewer,
  toV2Policy,
  toV2Profile,
} from "./policy.js";
import { refuseParams } from "./refuse-params.js";
import { describe } from "./thread-view.js";

/** Handler of `thread/start`. */
export const startHandlers = {
  "thread/start": startThread,
} satisfies Partial<V2Handlers>;

async function startThread(
  params: ThreadStartParams,
  connection: Connection,
  request: RpcRequest,
): Promise<ThreadStartResponse> {
  if (request.params == null) {
    throw new RpcError(rpcCodes.invalidRequest, "Invalid request: missing field `params`");
  }
  const { server } = connection;
  const { cwd } = server.parts;
  const { dynamicTools, ephemeral, experimentalRawEvents } = params;
  refuseParams("thread/start", params, { daybreakEnabled: "there is no such feature" });
  await assertProject(params, connection);
  const op = {
    cwd,
    ...toSettingsOp(params, cwd),
    ...(dynamicTools === undefined ? {} : { dynamic_tools: toDynamicTools(dynamicTools) }),
    ...(ephemeral === true ? { ephemeral } : {}),
    ...(experimentalRawEvents === true ? { raw_events: true } : {}),
  };
  const thread = await server.threads.start(op, partsFor(connection));
  thread.purpose = params.threadSource;
  await assignProject(thread, params, connection);
  // The file does not exist yet.
  const wire = describe({ id: thread.id, live: thread, stored: undefined }, server);
  announce(thread, wire, connection, request);
  return toOpened(thread, wire);
}

/** Throws if the project of a new thread does not exist. */
async function assertProject(
  { projectId }: ThreadStartParams,
  { server }: Connection,
): Promise<void> {
  if (projectId == null) return;
  if (projectId === "") {
    throw new RpcError(rpcCodes.invalidRequest, "projectId must not be empty");
  }
  const { projects } = await server.organization().read();
  if (projects.some(({ id }) => id === projectId)) return;
  throw new RpcError(rpcCodes.invalidRequest, `project not found: ${projectId}`);
}

/** Assigns a new thread to a project; only a thread with a log is assigned for good. */
async function assignProject(
  thread: Thread,
  { projectId, ephemeral }: ThreadStartParams,
  { server }: Connection,
): Promise<void> {
  if (projectId == null) return;
  thread.projectId = projectId;
  if (ephemeral === true) return;
  const { threadEntry } = await import("../organization/organization.js");
  await server.organization().change((state) => {
    threadEntry(state, thread.id).projectId = projectId;
  });
}

/** Returns the response for a thread that was started, resumed or forked. */
export function toOpened(thread: Thread, wire: WireThread): ThreadStartResponse {
  const { settings, configured } = thread;
  return {
    thread: wire,
    model: settings.model,
    modelProvider: settings.provider,
    serviceTier: null,
    disabledPluginIds: [],
    cwd: settings.cwd,
    runtimeWorkspaceRoots: [settings.cwd],
    instructionSources: configured.instruction_sources ?? [],
    approvalPolicy: settings.approvalPolicy,
    approvalsReviewer: settings.approvalsReviewer,
    sandbox: toV2Policy(settings.sandboxPolicy),
    activePermissionProfile: toV2Profile(settings.permissionProfile),
    reasoningEffort: settings.effort ?? null,
    multiAgentMode: "explicitRequestOnly",
  };
}

/** After the reply, notifies all clients of a new thread and subscribes the client to it. */
export function announce(
  thread: Thread,
  wire: WireThread,
  connection: Connection,
  request: RpcRequest,
): void {
  request.afterReply(() => {
    connection.server.notifyAll("thread/started", { thread: wire });
    connection.subscribe(thread, { after: 0 });
  });
}

/** Deprecation notice for clients that request all turns of a thread at once. */
export const hydrationNotice = {
  summary:
    "Full-history hydration is deprecated for paginated threads; use `excludeTurns: true`, then " +
    "page with `thread/turns/list` and `thread/items/list`.",
  details: null,
};

/** Settings that `thread/start`, `thread/resume` and `thread/fork` share. */
type SettingsParams = Pick<
  ThreadStartParams & ThreadResumeParams,
  | "model"
  | "modelProvider"
  | "cwd"
  | "approvalPolicy"
  | "approvalsReviewer"
  | "sandbox"
  | "permissions"
  | "config"
  | "baseInstructions"
  | "developerInstructions"
  | "personality"
>;

/** Converts the settings of a client to an op; omitted ones are taken from the config. */
export function toSettingsOp(
  params: SettingsParams,
  cwd: string,
): Omit<ConfigureSessionOp, "type"> {
  const { model, modelProvider, approvalPolicy, sandbox, baseInstructions, personality } = params;
  const { permissions } = params;
  assertOnlyProfile({ permissions }, { sandbox });
  return {
    config: {
      ...params.config,
      ...(sandbox === undefined ? {} : { sandbox_mode: sandbox }),
      ...(params.developerInstructions === undefined
        ? {}
        : { developer_instructions: params.developerInstructions }),
    },
    ...(params.cwd === undefined ? {} : { cwd: resolve(cwd, params.cwd) }),
    ...(permissions === undefined ? {} : { active_permission_profile: { id: permissions } }),
    ...(model === undefined ? {} : { model }),
    ...(modelProvider === undefined ? {} : { model_provider: modelProvider }),
    ...(approvalPolicy === undefined ? {} : { approval_policy: toEngineApproval(approvalPolicy) }),
    ...toEngineReviewer(params.approvalsReviewer),
    ...(baseInstructions === undefined ? {} : { instructions: baseInstructions }),
    ...(personality === undefined ? {} : { personality }),
  };
}

/**
 * Returns true if a recorded conversation is resumed under its recorded policies.
 *
 * A file outside of the home is not trusted. A program that embeds the server (exec, the terminal
 * UI, the library) uses the policies of the current config.
 */
export async function keepsPolicies(path: string, { parts, home }: Server): Promise<boolean> {
  if (parts.program !== undefined) return false;
  const [realHome, realFile] = await Promise.all([realpath(home), realpath(path)]);
  return !relative(realHome, realFile).startsWith("..");
}

/**
 * Returns the engine parts for threads of a client. Unless it embeds the server, it is recorded as
 * their originator.
 */
export function partsFor(connection: Connection): Partial<EngineParts> {
  const { client, engineParts, server } = connection;
  if (server.parts.program !== undefined) return engineParts;
  return { ...engineParts, source: "vscode", ...(client && { originator: client.name }) };
}
