import { resolve } from "node:path";
import type { MethodSink } from "../../jsonrpc/index.js";
import {
  addConversationListener,
  interruptConversation,
  removeConversationListener,
  sendUserMessage,
  sendUserTurn,
} from "../../protocol/rpc/v1/methods.generated.js";
import type { V1Connection } from "./connection.js";

/** The methods that talk in a conversation and listen to it. */
export function addMessageMethods(methods: MethodSink<V1Connection>): void {
  methods
    .on(sendUserMessage, ({ conversationId, items, lastResponseId }, { server }) => {
      const bookmark = bookmarkOf(lastResponseId);
      server.threads.get(conversationId).submit({ type: "user_input", items, ...bookmark });
      return {};
    })
    .on(sendUserTurn, ({ conversationId, items, ...settings }, { server }) => {
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
    })
    .on(interruptConversation, async ({ conversationId }, { server }) => ({
      abortReason: await server.threads.get(conversationId).interrupt(),
    }))
    .on(addConversationListener, ({ conversationId }, connection, request) => {
      const { threads, parts } = connection.server;
      const thread = threads.get(conversationId);
      const subscriptionId = parts.newId();
      request.afterReply(() => connection.listen(thread, subscriptionId));
      return { subscriptionId };
    })
    .on(removeConversationListener, ({ subscriptionId }, connection) => {
      connection.unlisten(subscriptionId);
      return {};
    });
}

function bookmarkOf(responseId: string | undefined): { last_response_id?: string } {
  return responseId === undefined ? {} : { last_response_id: responseId };
}
