import type { OpHandler } from "./index.js";

/** Answers whether the model may do more than the sandbox lets it. */
export const requestPermissionsResponse: OpHandler<"request_permissions_response"> = (
  session,
  op,
  id,
) => {
  if (session.permissions.settle(op.id, op.response)) return;
  const message = `No question about permissions waits for an answer as ${op.id}`;
  session.emit(id, { type: "error", message });
};
