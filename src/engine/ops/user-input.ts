import { regularTask } from "../regular-task.js";
import { startTask } from "../task.js";
import type { OpHandler } from "./index.js";

/**
 * Starts a task with the session's settings; joins the one that runs.
 *
 * Input that continues from a bookmark cannot join: it replaces the task that runs.
 */
export const userInput: OpHandler<"user_input"> = async (session, op, id) => {
  const returnTo = await session.bookmarks.find(op.last_response_id);
  if (returnTo === undefined && session.task !== undefined) return session.pending.add(op.items);
  session.abortTask("replaced");
  returnTo?.();
  const schema = op.final_output_json_schema;
  startTask(session, id, regularTask(op.items, schema == null ? {} : { outputSchema: schema }));
};
