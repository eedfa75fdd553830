import { CodexError } from "../../protocol/error.js";
import type { OpHandler } from "./index.js";

/** Adds the user's words to the turn that runs, if it is the one they are meant for. */
export const steerInput: OpHandler<"steer_input"> = (session, op, id) => {
  const { task } = session;
  if (task === undefined) throw new CodexError("not_found", "no active turn to steer");
  const { items, expected_turn_id: expected = task.turnId } = op;
  if (expected !== task.turnId) {
    const message = `expected active turn id \`${expected}\` but found \`${task.turnId}\``;
    throw new CodexError("not_found", message);
  }
  if (items.length === 0) throw new CodexError("invalid_request", "input must not be empty");
  session.pending.add(items);
  session.emit(id, { type: "submission_accepted", turn_id: task.turnId });
};
