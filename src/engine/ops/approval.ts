import type { ReviewDecision } from "../../protocol/types.js";
import type { Session } from "../session.js";
import type { OpHandler } from "./index.js";

/** Answers a question whether a command may run. */
export const execApproval: OpHandler<"exec_approval"> = (session, op, id) =>
  settle(session, op, { id, what: "command" });

/** Answers a question whether a patch may be applied. */
export const patchApproval: OpHandler<"patch_approval"> = (session, op, id) =>
  settle(session, op, { id, what: "patch" });

function settle(
  session: Session,
  op: { id: string; decision: ReviewDecision },
  { id, what }: { id: string; what: string },
): void {
  const { toldAs } = session.parts.era.exec;
  // Where a call has been told as begun, it tells its end too before the task is over.
  if (op.decision === "abort" && toldAs === "call" && session.approvals.settle(op.id, "abort")) {
    return;
  }
  if (op.decision === "abort") session.abortTask("interrupted");
  else if (!session.approvals.settle(op.id, op.decision)) {
    session.emit(id, { type: "error", message: `No ${what} waits for approval as ${op.id}` });
  }
}
