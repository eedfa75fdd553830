import { regularTask } from "../regular-task.js";
import { startTask } from "../task.js";
import type { OpHandler } from "./index.js";

/** Starts a task with the session's settings; joins the one that runs. */
export const userInput: OpHandler<"user_input"> = (session, op, id) => {
  if (session.task !== undefined) return session.pending.add(op.items);
  const schema = op.final_output_json_schema;
  startTask(session, id, regularTask(op.items, schema == null ? {} : { outputSchema: schema }));
};
