import type { OpHandler } from "./index.js";

/** Answers questions that the model has asked the user. */
export const userInputAnswer: OpHandler<"user_input_answer"> = (session, op, id) => {
  if (session.userInputs.settle(op.id, op.response)) return;
  session.emit(id, { type: "error", message: `No question waits for an answer as ${op.id}` });
};
