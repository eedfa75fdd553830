import { type MethodErrors, MethodTable } from "../../jsonrpc/index.js";
import { v1Methods } from "../../protocol/rpc/v1/methods.generated.js";
import type { Connection } from "../connection.js";
import { accountHandlers } from "./account.js";
import { conversationHandlers } from "./conversation.js";
import type { V1Handlers } from "./handlers.js";
import { type ConversationListeners, createMessageHandlers } from "./message.js";
import { systemHandlers } from "./system.js";

/** Creates the method table of v1. `listenersOf` returns the listeners of a client. */
export function createV1Methods(
  listenersOf: (connection: Connection) => ConversationListeners,
  errors: MethodErrors,
): MethodTable<Connection> {
  return new MethodTable<Connection>(errors).add(v1Methods, createV1Handlers(listenersOf));
}

/** Creates the handlers of the v1 methods: their modules are loaded here. */
function createV1Handlers(
  listenersOf: (connection: Connection) => ConversationListeners,
): V1Handlers {
  return {
    ...conversationHandlers,
    ...createMessageHandlers(listenersOf),
    ...accountHandlers,
    ...systemHandlers,
  };
}
