import type { OpHandler } from "./index.js";

/** Ends the running task; without one there is nothing to do and nothing to say. */
export const interrupt: OpHandler<"interrupt"> = (session) => {
  const { task } = session;
  task?.abort(task.interruptReason);
};
