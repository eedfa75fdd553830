import type { Task } from "../task.js";

/** Names the beginning or the end of a review, where the log keeps the names of items. */
export function reviewItemId({ session }: Task): string | undefined {
  const { era, newId } = session.parts;
  return era.engine.logsCalls ? newId() : undefined;
}
