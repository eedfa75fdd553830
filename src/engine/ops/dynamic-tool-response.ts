import type { OpHandler } from "./index.js";

/** Says how a call of a client's tool went. */
export const dynamicToolResponse: OpHandler<"dynamic_tool_response"> = (session, op, id) => {
  if (session.dynamicCalls.settle(op.id, op.response)) return;
  session.emit(id, { type: "error", message: `No call of a tool waits for an answer as ${op.id}` });
};
