import type { RpcRequest } from "../../../jsonrpc/index.js";
import type { Thread as WireThread } from "../../../protocol/rpc/v2/thread.js";
import type { ThreadStartResponse } from "../../../protocol/rpc/v2/thread-start.js";
import type { Thread } from "../../thread/index.js";
import type { V2Connection } from "../connection.js";
import { toV2Policy } from "../policy.js";

/** What is answered about a thread that was begun, gone on with or copied. */
export function toOpened(
  thread: Thread,
  wire: WireThread,
  { server }: V2Connection,
): ThreadStartResponse {
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
    sandbox: toV2Policy(settings.sandboxPolicy, server.parts.era.v2),
    activePermissionProfile: null,
    reasoningEffort: settings.effort ?? null,
    multiAgentMode: "explicitRequestOnly",
  };
}

/** Tells everyone that a thread has begun, once its client has the answer, and lets that one hear it. */
export function announce(
  thread: Thread,
  wire: WireThread,
  connection: V2Connection,
  request: RpcRequest,
): void {
  request.afterReply(() => {
    connection.server.notifyAll("thread/started", { thread: wire });
    connection.subscribe(thread, { after: 0 });
  });
}

/** What a client is told that wants all turns of a thread at once, in words that it knows. */
export const hydrationNotice = {
  summary:
    "Full-history hydration is deprecated for paginated threads; use `excludeTurns: true`, then " +
    "page with `thread/turns/list` and `thread/items/list`.",
  details: null,
};
