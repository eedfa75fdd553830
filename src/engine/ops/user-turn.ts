import { checkCwd } from "../cwd.js";
import { regularTask } from "../regular-task.js";
import { startTask } from "../task.js";
import type { OpHandler } from "./index.js";

/** Starts a task with settings of its own, which stay; replaces the one that runs. */
export const userTurn: OpHandler<"user_turn"> = async (session, op, id) => {
  checkCwd(op.cwd);
  // An unknown bookmark is refused before anything has changed.
  const returnTo = await session.bookmarks.find(op.last_response_id);
  session.abortTask("replaced");
  returnTo?.();

  const before = session.context;
  session.override(op);
  session.tellChange(before, id);

  const schema = op.final_output_json_schema;
  startTask(session, id, regularTask(op.items, schema == null ? {} : { outputSchema: schema }));
};
