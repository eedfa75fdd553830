import type { OpHandler } from "./index.js";

/** Shows the model more with its next request, without asking it anything. */
export const injectItems: OpHandler<"inject_items"> = (session, { response_items }, id) => {
  session.record(response_items.filter(({ type }) => type !== "other"));
  session.emit(id, { type: "submission_accepted" });
};
