import { type MethodErrors, MethodTable } from "../../jsonrpc/index.js";
import { v1Methods } from "../../protocol/rpc/v1/methods.generated.js";
import { accountHandlers } from "./account.js";
import type { V1Connection, V1Handlers } from "./connection.js";
import { conversationHandlers } from "./conversations.js";
import { messageHandlers } from "./messages.js";
import { systemHandlers } from "./system.js";

/** Creates a table of the v1 methods. */
export function createV1Methods(errors: MethodErrors): MethodTable<V1Connection> {
  return new MethodTable<V1Connection>(errors).add(v1Methods, createV1Handlers());
}

/** Creates the handlers of the v1 methods: their modules are loaded here. */
export function createV1Handlers(): V1Handlers {
  return {
    ...conversationHandlers,
    ...messageHandlers,
    ...accountHandlers,
    ...systemHandlers,
  };
}
