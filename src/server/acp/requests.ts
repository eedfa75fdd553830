import type { AppServer } from "./app-server.js";
import { askCommand, askFileChange, askPermissions } from "./permissions.js";
import { askElicitation, askUserInput } from "./questions.js";
import type { AcpSession } from "./session.js";

/**
 * Answers the requests of the app-server by asking the user.
 *
 * `sessionOf` returns the session for which a thread works: its own, or that of the root of a helper agent.
 */
export function answerRequests(
  appServer: AppServer,
  sessionOf: (threadId: string) => AcpSession,
): void {
  const waysOf = (threadId: string, signal: AbortSignal) =>
    sessionOf(threadId).ways(signal, { endsCall: true });
  /** Items of helper agents are not shown, so nothing but the answer ends their tool calls. */
  const approving = (ids: { threadId: string; itemId: string }, signal: AbortSignal) => {
    const session = sessionOf(ids.threadId);
    const { permission } = session.ways(signal, { endsCall: session.id !== ids.threadId });
    return [session.updates.item(ids.itemId), permission] as const;
  };
  appServer.onRequest("item/commandExecution/requestApproval", async (params, { signal }) =>
    askCommand(params, ...approving(params, signal)),
  );
  appServer.onRequest("item/fileChange/requestApproval", async (params, { signal }) =>
    askFileChange(params, ...approving(params, signal)),
  );
  appServer.onRequest("item/permissions/requestApproval", async (params, { signal }) =>
    askPermissions(params, waysOf(params.threadId, signal).permission),
  );
  appServer.onRequest("item/tool/requestUserInput", async (params, { signal }) =>
    askUserInput(params, waysOf(params.threadId, signal)),
  );
  appServer.onRequest("mcpServer/elicitation/request", async (params, { signal }) =>
    askElicitation(params, waysOf(params.threadId, signal)),
  );
}
