import type { ReviewDecision } from "../approval.js";
import { checkReviewDecision } from "../checks/sqeq.generated.js";
import { CodexError } from "../error.js";
import { isRecord, type JsonRecord } from "./record.js";
import { spelled } from "./spelling.js";

/** Reads what the user says to an approval request, in the words of any era. */
export function parseReviewDecision(value: unknown, name = "decision"): ReviewDecision {
  const decision = toReviewDecision(value);
  assertDecision(decision, name);
  return decision as ReviewDecision;
}

/** Brings a decision into the one form, unchecked. */
export function toReviewDecision(value: unknown): unknown {
  if (!isRecord(value)) return toWord(value);
  const inner = value.approved_execpolicy_amendment ?? value.acceptWithExecpolicyAmendment;
  if (!isRecord(inner)) return value;
  const firstWords = inner.proposed_execpolicy_amendment ?? inner.execpolicy_amendment;
  return { approved_execpolicy_amendment: { proposed_execpolicy_amendment: firstWords } };
}

/** Throws for what is no decision; the message lists every spelling that is accepted. */
export function assertDecision(value: unknown, name: string, data: JsonRecord = {}): void {
  if (checkReviewDecision(value)) return;
  const taken = Object.entries(spellings).map(([word, others]) => {
    const also = others.map((other) => `"${other}"`).join(", ");
    return `"${word}" (or ${also})`;
  });
  const rule = '{"approved_execpolicy_amendment":{"proposed_execpolicy_amendment":[…]}}';
  const found = typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : typeof value;
  const message = `Expected \`${name}\` to be ${taken.join(", ")} or ${rule} (got ${found}).`;
  throw new CodexError("invalid_request", message, { data: { ...data, path: name } });
}

/** The words of all eras, by the one that stands for them. */
const spellings: Readonly<Record<Exclude<ReviewDecision, object>, readonly string[]>> = {
  approved: ["approve", "accept", "allow"],
  approved_for_session: ["acceptForSession"],
  denied: ["deny", "decline"],
  abort: ["cancel"],
};

/** Finds the decision that a word stands for, in any case and with any separators. */
function toWord(value: unknown): unknown {
  for (const [word, others] of Object.entries(spellings)) {
    for (const one of [word, ...others]) {
      if (spelled({ [one.replaceAll("_", "").toLowerCase()]: true }, value) === true) return word;
    }
  }
  return value;
}
