import { CodexError } from "../../protocol/error.js";
import type { OpHandler } from "./index.js";

/** Takes the last turns of the user out of the conversation; what they did to files stays. */
export const threadRollback: OpHandler<"thread_rollback"> = (session, { num_turns }, id) => {
  if (session.task !== undefined) {
    throw new CodexError("invalid_request", "Cannot rollback while a turn is in progress.");
  }
  session.rollBack(num_turns);
  session.emit(id, session.tokens.event(session.contextWindow));
  session.emit(id, { type: "thread_rolled_back", num_turns });
};
