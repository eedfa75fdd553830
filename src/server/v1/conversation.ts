import { resolve } from "node:path";
import { RpcError, rpcCodes } from "../../jsonrpc/index.js";
import { CodexError } from "../../protocol/error.js";
import type {
  ListConversationsResponse,
  NewConversationParams,
  NewConversationResponse,
  ResumeConversationResponse,
} from "../../protocol/rpc/v1/conversation.js";
import type { V1Notifications } from "../../protocol/rpc/v1/methods.generated.js";
import type { ConfigureSessionOp, SessionConfiguredEvent } from "../../protocol/types.js";
import { archiveThread, listThreads, parseCursor } from "../../rollout/index.js";
import type { Connection } from "../connection.js";
import { EraEvents } from "../era-shape.js";
import type { Thread } from "../thread/thread.js";
import type { V1Handlers } from "./handlers.js";

/** Handlers that start, list, resume and archive conversations. */
export const conversationHandlers = {
  newConversation: startNew,
  listConversations: ({ pageSize, cursor }, { server }) => list(server.home, pageSize, cursor),
  resumeConversation: ({ path, overrides = {} }, connection) => resume(path, overrides, connection),
  archiveConversation: async ({ conversationId, rolloutPath }, { server }) => {
    const thread = server.threads.find(conversationId);
    const quietly = !server.parts.era.since["0.45"];
    if (await thread?.isStoredAt(rolloutPath)) await thread?.close({ quietly });
    await archiveThread(server.home, { id: conversationId, path: rolloutPath });
    return {};
  },
} satisfies Partial<V1Handlers>;

async function startNew(
  params: NewConversationParams,
  connection: Connection,
): Promise<NewConversationResponse> {
  const { cwd, era } = connection.server.parts;
  const { configured } = await start(toConfigure(params, cwd), connection);
  const reasoningEffort = configured.reasoning_effort ?? null;
  return {
    conversationId: configured.session_id,
    model: configured.model,
    ...(reasoningEffort === null && era.rpc.v1Form === "2025" ? {} : { reasoningEffort }),
    rolloutPath: configured.rollout_path,
  };
}

/** Starts a thread for a client; throws with the message that v1 clients know. */
export async function start(
  op: Omit<ConfigureSessionOp, "type">,
  { server, engineParts }: Connection,
): Promise<Thread> {
  try {
    return await server.threads.start(op, engineParts);
  } catch (error) {
    if (!(error instanceof CodexError)) throw error;
    const message = `error creating conversation: ${error.message}`;
    throw new RpcError(rpcCodes.invalidRequest, message);
  }
}

/**
 * Converts the settings of a client to an op. A sandbox mode alone keeps the other settings of the
 * config.
 */
export function toConfigure(
  params: NewConversationParams,
  cwd: string,
): Omit<ConfigureSessionOp, "type"> {
  const { model, profile, approvalPolicy, sandbox, config, baseInstructions } = params;
  const { includePlanTool, includeApplyPatchTool } = params;
  const settings = { ...config, ...(sandbox === undefined ? {} : { sandbox_mode: sandbox }) };
  return {
    cwd: resolve(cwd, params.cwd ?? "."),
    config: settings,
    can_answer_questions: false, // v1 has no requests for user input
    ...(model === undefined ? {} : { model }),
    ...(profile === undefined ? {} : { profile }),
    ...(approvalPolicy === undefined ? {} : { approval_policy: approvalPolicy }),
    ...(baseInstructions === undefined ? {} : { instructions: baseInstructions }),
    ...(includePlanTool === undefined ? {} : { include_plan_tool: includePlanTool }),
    ...(includeApplyPatchTool === undefined
      ? {}
      : { include_apply_patch_tool: includeApplyPatchTool }),
  };
}

async function list(
  home: string,
  pageSize: number | undefined,
  token: string | undefined,
): Promise<ListConversationsResponse> {
  const cursor = token === undefined ? undefined : parseCursor(token);
  // An invalid cursor returns an empty page.
  if (token !== undefined && cursor === undefined) return { items: [] };
  const { items, nextCursor } = await listThreads(home, {
    form: "2025",
    ...(pageSize === undefined ? {} : { pageSize: Math.min(pageSize, maxPageSize) }),
    ...(cursor === undefined ? {} : { cursor }),
  });
  return {
    items: items.map(({ id: conversationId, path, preview, timestamp }) => ({
      conversationId,
      path,
      preview,
      timestamp,
    })),
    ...(nextCursor === undefined ? {} : { nextCursor }),
  };
}

const maxPageSize = 100;

async function resume(
  path: string,
  overrides: NewConversationParams,
  connection: Connection,
): Promise<ResumeConversationResponse> {
  const { parts } = connection.server;
  const { cwd, ...settings } = toConfigure(overrides, parts.cwd);
  const place = overrides.cwd === undefined || cwd === undefined ? {} : { cwd };
  const op = { ...settings, ...place, resume_path: resolve(parts.cwd, path) };
  const { configured } = await start(op, connection);
  const shaped = new EraEvents(parts.era).toShape(configured);
  announce(shaped, connection);
  return {
    conversationId: shaped.session_id,
    model: shaped.model,
    ...(shaped.initial_messages == null ? {} : { initialMessages: shaped.initial_messages }),
  };
}

/** Notifies the client of the session, in addition to the response. */
function announce(configured: SessionConfiguredEvent, connection: Connection): void {
  if (!connection.server.parts.era.since["0.45"]) {
    notify(connection, "codex/event", { id: "", msg: configured });
    return;
  }
  const { initial_messages, reasoning_effort } = configured;
  notify(connection, "sessionConfigured", {
    sessionId: configured.session_id,
    model: configured.model,
    ...(reasoning_effort == null ? {} : { reasoningEffort: reasoning_effort }),
    historyLogId: configured.history_log_id,
    historyEntryCount: configured.history_entry_count,
    ...(initial_messages == null ? {} : { initialMessages: initial_messages }),
    rolloutPath: configured.rollout_path,
  });
}

function notify<Method extends keyof V1Notifications>(
  { peer }: Connection,
  method: Method,
  params: V1Notifications[Method],
): void {
  peer.notify(method, params);
}
