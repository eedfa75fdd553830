import { type MethodErrors, type MethodSink, MethodTable } from "../../jsonrpc/index.js";
import { addAccountMethods } from "./account.js";
import type { V1Connection } from "./connection.js";
import { addConversationMethods } from "./conversations.js";
import { addMessageMethods } from "./messages.js";
import { addSystemMethods } from "./system.js";

/** Every v1 method; the errors for what is none of them are those of the surface. */
export function createV1Methods(errors: MethodErrors): MethodTable<V1Connection> {
  const methods = new MethodTable<V1Connection>(errors);
  addV1Methods(methods);
  return methods;
}

/** Adds the v1 methods to a table that may have more. */
export function addV1Methods(methods: MethodSink<V1Connection>): void {
  addConversationMethods(methods);
  addMessageMethods(methods);
  addAccountMethods(methods);
  addSystemMethods(methods);
}
