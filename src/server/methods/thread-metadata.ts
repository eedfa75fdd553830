import type { RpcRequest } from "../../jsonrpc/index.js";
import { CodexError } from "../../protocol/error.js";
import type { ThreadResponse } from "../../protocol/rpc/v2/thread.js";
import type {
  ThreadMetadataGitInfoUpdate,
  ThreadMetadataUpdateParams,
} from "../../protocol/rpc/v2/thread-metadata.js";
import { assertThreadId, type Connection, type V2Handlers } from "../connection.js";
import { threadEntry } from "../organization/organization.js";
import { refuseParams } from "./refuse-params.js";
import { describe, findAnyFile, readStored } from "./thread-view.js";

/** Handler of `thread/metadata/update`. */
export const metadataHandlers = {
  "thread/metadata/update": update,
} satisfies Partial<V2Handlers>;

async function update(
  params: ThreadMetadataUpdateParams,
  { server }: Connection,
  _request: RpcRequest,
): Promise<ThreadResponse> {
  const { threadId, gitInfo, projectId: given } = params;
  refuseParams("thread/metadata/update", params, { daybreakEnabled: "there is no such feature" });
  assertThreadId(threadId);
  const id = threadId.toLowerCase();
  const live = server.threads.find(id);
  if (live?.isEphemeral) {
    throw refused(`ephemeral thread does not support metadata updates: ${threadId}`);
  }
  if (gitInfo == null && given == null) {
    throw refused("thread metadata update must include at least one field");
  }
  const git = gitInfo == null ? undefined : toGit(gitInfo);
  const path = await findAnyFile(server, id);
  if (path === undefined) throw refused(`no rollout found for thread id ${threadId}`);
  const projectId = given == null ? undefined : given || null;
  await server.organization().change((state) => {
    if (projectId != null && !state.projects.some((project) => project.id === projectId)) {
      throw refused(`project not found: ${projectId}`);
    }
    const entry = threadEntry(state, id);
    if (git !== undefined) entry.git = { ...entry.git, ...git };
    if (projectId === null) delete entry.projectId;
    else if (projectId !== undefined) entry.projectId = projectId;
  });
  if (projectId !== undefined) {
    server.notifyAll("thread/project/updated", { threadId, projectId });
  }
  const stored = await readStored(server, id, path);
  return { thread: describe({ id, live, stored }, server, { isListed: true }) };
}

/** Checks the changes: a text replaces a fact, `null` clears it. */
function toGit(gitInfo: ThreadMetadataGitInfoUpdate): Record<string, string | null> {
  const entries: [string, string | null | undefined][] = Object.entries(gitInfo);
  const changes = entries.filter(([, value]) => value !== undefined);
  if (changes.length === 0) throw refused("gitInfo must include at least one field");
  return Object.fromEntries(
    changes.map(([name, value]) => {
      const text = value?.trim() ?? null;
      if (text === "") throw refused(`gitInfo.${name} must not be empty`);
      return [name, text];
    }),
  );
}

function refused(message: string): CodexError {
  return new CodexError("invalid_request", message);
}
