import type { ReviewDecision } from "../approval.js";
import { checkReviewDecision } from "../checks/sqeq.generated.js";
import { assertValid } from "./problem.js";
import { isRecord } from "./record.js";
import { spelled } from "./spelling.js";

/** Reads what the user says to an approval request, in the words of any era. */
export function parseReviewDecision(value: unknown, name = "decision"): ReviewDecision {
  const decision = toReviewDecision(value);
  assertValid(checkReviewDecision, decision, name);
  return decision as ReviewDecision;
}

/** Brings a decision into the one form, unchecked. */
export function toReviewDecision(value: unknown): unknown {
  if (!isRecord(value)) return spelled(words, value);
  const inner = value.approved_execpolicy_amendment ?? value.acceptWithExecpolicyAmendment;
  if (!isRecord(inner)) return value;
  const firstWords = inner.proposed_execpolicy_amendment ?? inner.execpolicy_amendment;
  return { approved_execpolicy_amendment: { proposed_execpolicy_amendment: firstWords } };
}

const words: Record<string, ReviewDecision> = {
  approved: "approved",
  approve: "approved",
  accept: "approved",
  allow: "approved",
  approvedforsession: "approved_for_session",
  acceptforsession: "approved_for_session",
  denied: "denied",
  deny: "denied",
  decline: "denied",
  abort: "abort",
  cancel: "abort",
};
