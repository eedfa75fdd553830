import { compactTask } from "../compact/compact.js";
import { startTask } from "../task.js";
import type { OpHandler } from "./index.js";

/** Summarizes the conversation; the task that runs is replaced, for its turns would be lost. */
export const compact: OpHandler<"compact"> = (session, _op, id) => {
  startTask(session, id, compactTask);
};
