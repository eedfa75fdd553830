import type { Op } from "../../protocol/types.js";
import type { Session } from "../session.js";
import { answerOps } from "./answers.js";
import { backgroundOps } from "./background.js";
import { followUpOps } from "./follow-ups.js";
import { inputOps } from "./input.js";
import type { OpHandler, OpHandlers, SessionOpType } from "./op-handler.js";
import { rewindOps } from "./rewind.js";
import { sampleOps } from "./sample.js";
import { threadOps } from "./thread.js";
import { userShellOps } from "./user-shell.js";

const handlers: OpHandlers = {
  ...answerOps,
  ...backgroundOps,
  ...inputOps,
  ...rewindOps,
  ...sampleOps,
  ...threadOps,
  ...userShellOps,
  ...followUpOps,
};

/** Calls the handler of an op. */
export async function handleOp(
  session: Session,
  op: Extract<Op, { type: SessionOpType }>,
  id: string,
): Promise<void> {
  const handler = handlers[op.type] as OpHandler<SessionOpType>;
  await handler(session, op, id);
}
