import { takeInput } from "../take-input.js";
import type { OpHandler } from "./index.js";

/** Starts a task with settings of its own, which stay; replaces the one that runs by default. */
export const userTurn: OpHandler<"user_turn"> = async (session, op, id) => {
  const input = {
    id,
    items: op.items,
    outputSchema: op.final_output_json_schema,
    // An unknown bookmark is refused before anything has changed.
    returnTo: await session.bookmarks.find(op.last_response_id),
    applySettings() {
      const before = session.context;
      session.override(op);
      session.tellChange(before, id);
    },
  };
  takeInput(session, input, "replace");
};
