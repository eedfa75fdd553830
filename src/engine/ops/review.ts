import { reviewTask } from "../review/review-task.js";
import { startTask } from "../task.js";
import type { OpHandler } from "./index.js";

/** Starts a review; replaces the task that runs. */
export const review: OpHandler<"review"> = (session, op, id) => {
  startTask(session, id, reviewTask(op.review_request));
};
