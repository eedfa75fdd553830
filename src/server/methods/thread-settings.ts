import { resolve } from "node:path";
import type { RpcRequest } from "../../jsonrpc/index.js";
import type {
  ThreadSettings,
  ThreadSettingsUpdateParams,
} from "../../protocol/rpc/v2/thread-settings.js";
import type { OverrideTurnContextOp } from "../../protocol/types.js";
import type { Connection, V2Handlers } from "../connection.js";
import type { Server } from "../server.js";
import type { Settings } from "../thread/settings.js";
import type { Thread } from "../thread/thread.js";
import {
  assertOnlyProfile,
  loadProfile,
  toEngineApproval,
  toEnginePolicy,
  toEngineReviewer,
  toV2Policy,
  toV2Profile,
} from "./policy.js";

/** Handler of `thread/settings/update`. */
export const settingsHandlers = {
  "thread/settings/update": update,
} satisfies Partial<V2Handlers>;

async function update(
  params: ThreadSettingsUpdateParams,
  connection: Connection,
  request: RpcRequest,
): Promise<Record<string, never>> {
  const { server } = connection;
  const thread = connection.thread(params.threadId);
  const { permissions, sandboxPolicy } = params;
  assertOnlyProfile({ permissions }, { sandboxPolicy });
  const op = toOp(params, thread.settings.cwd);
  const { cwd = thread.settings.cwd } = op;
  const profile = permissions && (await loadProfile(permissions, { cwd, server }));
  thread.submit({ ...op, ...(profile || {}) }, server.parts.newId());
  request.afterReply(() => notifySettings(thread, server));
  return {};
}

/** Notifies the subscribers of a thread of its settings. */
export function notifySettings(thread: Thread, { feeds }: Server): void {
  const threadSettings = toThreadSettings(thread.settings);
  feeds.of(thread).notify("thread/settings/updated", { threadId: thread.id, threadSettings });
}

/** Converts the settings of a thread to v2. */
function toThreadSettings(settings: Settings): ThreadSettings {
  const { model, effort, collaborationMode } = settings;
  return {
    disabledPluginIds: [],
    cwd: settings.cwd,
    approvalPolicy: settings.approvalPolicy,
    approvalsReviewer: settings.approvalsReviewer,
    sandboxPolicy: toV2Policy(settings.sandboxPolicy),
    activePermissionProfile: toV2Profile(settings.permissionProfile),
    model,
    modelProvider: settings.provider,
    serviceTier: null,
    effort: effort ?? null,
    summary: settings.summary ?? null,
    collaborationMode: {
      mode: collaborationMode?.mode ?? "default",
      settings: {
        model,
        reasoning_effort: effort ?? null,
        developer_instructions: collaborationMode?.settings?.developer_instructions ?? null,
      },
    },
    personality: settings.personality ?? null,
    multiAgentMode: "explicitRequestOnly",
  };
}

function toOp(params: ThreadSettingsUpdateParams, cwd: string): OverrideTurnContextOp {
  const { approvalPolicy, sandboxPolicy, model, effort, summary, personality } = params;
  const { collaborationMode } = params;
  return {
    type: "override_turn_context",
    ...(params.cwd === undefined ? {} : { cwd: resolve(cwd, params.cwd) }),
    ...(approvalPolicy === undefined ? {} : { approval_policy: toEngineApproval(approvalPolicy) }),
    ...toEngineReviewer(params.approvalsReviewer),
    ...(sandboxPolicy === undefined ? {} : { sandbox_policy: toEnginePolicy(sandboxPolicy) }),
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
    ...(summary === undefined ? {} : { summary }),
    ...(personality === undefined ? {} : { personality }),
    ...(collaborationMode === undefined ? {} : { collaboration_mode: collaborationMode }),
  };
}
