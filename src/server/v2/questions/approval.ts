import type { ReviewDecision } from "../../../protocol/types.js";
import { readDecision } from "../../v1/approvals.js";
import { toEraFields } from "../era-fields.js";
import type { Teller } from "../from-event/index.js";
import { turnOf } from "../from-event/place.js";
import type { EventOf } from "../from-event/translators.js";
import { startedCommand } from "../items/index.js";
import type { Question } from "./question.js";

/** Asks whether a command may run. */
export function commandQuestion(event: EventOf<"exec_approval_request">, teller: Teller): Question {
  const { call_id: itemId, reason, proposed_execpolicy_amendment: amendment } = event.msg;
  const { command, cwd, commandActions } = startedCommand(event.msg);
  const params = {
    kind: "command" as const,
    threadId: teller.threadId,
    turnId: turnOf(event, teller),
    itemId,
    startedAtMs: teller.now(),
    environmentId: "local",
    ...(reason == null ? {} : { reason }),
    command,
    cwd,
    commandActions,
    ...(amendment == null ? {} : { proposedExecpolicyAmendment: amendment }),
    availableDecisions: decisionsFor(amendment ?? undefined),
  };
  return {
    key: itemId,
    event,
    method: "item/commandExecution/requestApproval",
    params: toEraFields(params, teller.era.lacks.CommandExecutionRequestApprovalParams),
    ...decidedBy("exec_approval", itemId),
  };
}

function decisionsFor(amendment: readonly string[] | undefined): unknown[] {
  if (amendment === undefined) return ["accept", "cancel"];
  const rule = { acceptWithExecpolicyAmendment: { execpolicy_amendment: amendment } };
  return ["accept", rule, "cancel"];
}

/** Asks whether files may be changed. */
export function patchQuestion(
  event: EventOf<"apply_patch_approval_request">,
  teller: Teller,
): Question {
  const { call_id: itemId, reason = null, grant_root: grantRoot = null } = event.msg;
  const { threadId } = teller;
  const turnId = turnOf(event, teller);
  const params = { threadId, turnId, itemId, startedAtMs: teller.now(), reason, grantRoot };
  return {
    key: itemId,
    event,
    method: "item/fileChange/requestApproval",
    params: toEraFields(params, teller.era.lacks.FileChangeRequestApprovalParams),
    ...decidedBy("patch_approval", itemId),
  };
}

/** How an answer becomes the op that decides; no answer decides against it. */
function decidedBy(type: "exec_approval" | "patch_approval", id: string) {
  const toOp = (decision: ReviewDecision) => ({ type, id, decision });
  return { toOp: (answer: unknown) => toOp(readDecision(answer)), refusal: toOp("denied") };
}
