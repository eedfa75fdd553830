import type { ReviewDecision } from "../../protocol/types.js";
import type { AnswerOp } from "../agents/forwarded-questions.js";
import { elicitationKey } from "../mcp-access.js";
import type { Session } from "../session.js";
import type { OpHandler, OpHandlers } from "./op-handler.js";

/** Answers a question whether a command may run. */
const execApproval: OpHandler<"exec_approval"> = (session, op, id) =>
  settle(session, op, { id, what: "command" });

/** Answers a question whether a patch may be applied. */
const patchApproval: OpHandler<"patch_approval"> = (session, op, id) =>
  settle(session, op, { id, what: "patch" });

function settle(
  session: Session,
  op: { id: string; decision: ReviewDecision },
  { id, what }: { id: string; what: string },
): void {
  const { eventGrouping } = session.parts.era.exec;
  // If the call was reported as begun, it also reports its end before the task ends.
  if (
    op.decision === "abort" &&
    eventGrouping !== "run" &&
    session.approvals.settle(op.id, "abort")
  ) {
    return;
  }
  if (op.decision === "abort") session.abortTask("interrupted");
  else if (!session.approvals.settle(op.id, op.decision)) {
    session.emit(id, { type: "error", message: `No ${what} waits for approval as ${op.id}` });
  }
}

/** Passes the result of a client's tool to its call. */
const dynamicToolResponse: OpHandler<"dynamic_tool_response"> = (session, op, id) => {
  if (session.dynamicCalls.settle(op.id, op.response)) return;
  session.emit(id, { type: "error", message: `No call of a tool waits for an answer as ${op.id}` });
};

/** Answers whether the model may do more than the sandbox lets it. */
const requestPermissionsResponse: OpHandler<"request_permissions_response"> = (session, op, id) => {
  if (session.permissions.settle(op.id, op.response)) return;
  const message = `No question about permissions waits for an answer as ${op.id}`;
  session.emit(id, { type: "error", message });
};

/** Answers a question of an MCP server. */
const resolveElicitation: OpHandler<"resolve_elicitation"> = (session, op, id) => {
  const { server_name, request_id, decision, content } = op;
  const answer = { action: decision, ...(content === undefined ? {} : { content }) };
  if (session.elicitations.settle(elicitationKey(server_name, request_id), answer)) return;
  const message = `No question of ${server_name} waits for an answer as ${request_id}`;
  session.emit(id, { type: "error", message });
};

/** Answers questions that the model has asked the user. */
const userInputAnswer: OpHandler<"user_input_answer"> = (session, op, id) => {
  if (session.userInputs.settle(op.id, op.response)) return;
  session.emit(id, { type: "error", message: `No question waits for an answer as ${op.id}` });
};

/** Passes the answer to a helper agent if one has asked. */
function orOfAgent<Type extends AnswerOp["type"]>(handler: OpHandler<Type>): OpHandler<Type> {
  return (session, op, id) => {
    if (session.agents?.answer(op as AnswerOp) !== true) return handler(session, op, id);
  };
}

/** Overrules a denial of the automatic reviewer. */
const approveDeniedAction: OpHandler<"approve_guardian_denied_action"> = async (
  session,
  { event },
  id,
) => {
  const { denialsOf } = await import("../auto-review/denials.js");
  denialsOf(session).overrule(event.id, session);
  session.emit(id, { type: "submission_accepted" });
};

/** Handlers of ops that answer requests of the engine. */
export const answerOps = {
  approve_guardian_denied_action: approveDeniedAction,
  exec_approval: orOfAgent(execApproval),
  patch_approval: orOfAgent(patchApproval),
  dynamic_tool_response: orOfAgent(dynamicToolResponse),
  request_permissions_response: orOfAgent(requestPermissionsResponse),
  resolve_elicitation: orOfAgent(resolveElicitation),
  user_input_answer: orOfAgent(userInputAnswer),
} satisfies Partial<OpHandlers>;
