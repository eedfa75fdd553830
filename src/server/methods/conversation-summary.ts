import { CodexError } from "../../protocol/error.js";
import type {
  ConversationSummary,
  GetConversationSummaryParams,
  GetConversationSummaryResponse,
} from "../../protocol/rpc/v2/thread-list.js";
import type { ThreadFacts } from "../../rollout/index.js";
import { assertThreadId, type Connection, type V2Handlers } from "../connection.js";
import { findAnyFile, readStored, resolveFile } from "./thread-view.js";

/** Handlers of `getConversationSummary` and `hooks/list`. */
export const summaryHandlers = {
  getConversationSummary: summarize,
  "hooks/list": async (params, connection) =>
    (await import("./hooks.js")).listHooks(params, connection),
} satisfies Partial<V2Handlers>;

async function summarize(
  params: GetConversationSummaryParams,
  connection: Connection,
): Promise<GetConversationSummaryResponse> {
  const { server } = connection;
  const path = await fileOf(params, connection);
  const stored = await readStored(server, params.conversationId ?? "", path);
  const facts = stored?.facts;
  if (stored === undefined || facts === undefined) {
    throw new CodexError("not_found", `no conversation to show in ${path}`, { data: { path } });
  }
  const { provider } = await server.config();
  return { summary: toSummary(path, facts, stored.updatedAtMs, provider.id) };
}

async function fileOf(
  { conversationId, rolloutPath }: GetConversationSummaryParams,
  { server }: Connection,
): Promise<string> {
  if (rolloutPath !== undefined) return resolveFile(server, rolloutPath);
  if (conversationId === undefined) {
    throw new CodexError("invalid_request", "`conversationId` or `rolloutPath` must be given.");
  }
  assertThreadId(conversationId);
  const path = await findAnyFile(server, conversationId);
  if (path !== undefined) return path;
  const message = `no rollout found for conversation id ${conversationId}`;
  throw new CodexError("not_found", message, { data: { id: conversationId } });
}

function toSummary(
  path: string,
  facts: ThreadFacts,
  updatedAtMs: number,
  provider: string,
): ConversationSummary {
  const { commit_hash = null, branch = null, repository_url = null } = facts.git ?? {};
  return {
    conversationId: facts.id,
    path,
    preview: facts.preview,
    timestamp: facts.timestamp,
    updatedAt: new Date(updatedAtMs).toISOString(),
    modelProvider: facts.provider ?? provider,
    cwd: facts.cwd,
    cliVersion: facts.cliVersion,
    source: facts.source,
    gitInfo:
      facts.git === undefined ? null : { sha: commit_hash, branch, origin_url: repository_url },
  };
}
