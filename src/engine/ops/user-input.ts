import { takeInput } from "../take-input.js";
import type { OpHandler } from "./index.js";

/** Starts a task with the session's settings; joins the one that runs by default. */
export const userInput: OpHandler<"user_input"> = async (session, op, id) => {
  const input = {
    id,
    items: op.items,
    outputSchema: op.final_output_json_schema,
    // An unknown bookmark is refused before anything has changed.
    returnTo: await session.bookmarks.find(op.last_response_id),
  };
  takeInput(session, input, "join");
};
