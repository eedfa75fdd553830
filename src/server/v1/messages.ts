import { resolve } from "node:path";
import type { V1Handlers } from "./connection.js";

/** The methods that talk in a conversation and listen to it. */
export const messageHandlers = {
  sendUserMessage: ({ conversationId, items, lastResponseId }, { server }) => {
    const bookmark = bookmarkOf(lastResponseId);
    server.threads.get(conversationId).submit({ type: "user_input", items, ...bookmark });
    return {};
  },
  sendUserTurn: ({ conversationId, items, ...settings }, { server }) => {
    const thread = server.threads.get(conversationId);
    const { cwd, approvalPolicy, sandboxPolicy, model, effort, summary } = settings;
    const { lastResponseId } = settings;
    // Clients of this surface know no turn that replaces another: it joins the one that runs,
    // unless it continues from elsewhere.
    if (thread.isBusy && lastResponseId === undefined) {
      thread.submit({ type: "user_input", items });
      return {};
    }
    thread.submit({
      type: "user_turn",
      items,
      cwd: resolve(server.parts.cwd, cwd),
      approval_policy: approvalPolicy,
      sandbox_policy: sandboxPolicy,
      model,
      ...(effort === undefined ? {} : { effort }),
      summary,
      ...bookmarkOf(lastResponseId),
    });
    return {};
  },
  interruptConversation: async ({ conversationId }, { server }) => ({
    abortReason: await server.threads.get(conversationId).interrupt(),
  }),
  addConversationListener: ({ conversationId }, connection, request) => {
    const { threads, parts } = connection.server;
    const thread = threads.get(conversationId);
    const subscriptionId = parts.newId();
    request.afterReply(() => connection.listen(thread, subscriptionId));
    return { subscriptionId };
  },
  removeConversationListener: ({ subscriptionId }, connection) => {
    connection.unlisten(subscriptionId);
    return {};
  },
} satisfies Partial<V1Handlers>;

function bookmarkOf(responseId: string | undefined): { last_response_id?: string } {
  return responseId === undefined ? {} : { last_response_id: responseId };
}
