import { isRecord } from "../../protocol/read/check.js";
import type { GuardianRiskLevel, GuardianUserAuthorization } from "../../protocol/types.js";

/** Decision of the reviewer about an action. */
export interface Decision {
  outcome: "allow" | "deny";
  risk: GuardianRiskLevel;
  authorization: GuardianUserAuthorization;
  rationale: string;
}

const outcomes = ["allow", "deny"] as const;
const risks = ["low", "medium", "high", "critical"] as const satisfies GuardianRiskLevel[];
const authorizations = [
  "unknown",
  "low",
  "medium",
  "high",
] as const satisfies GuardianUserAuthorization[];

/** JSON Schema of the reviewer's answer. */
export const decisionSchema = {
  type: "object",
  properties: {
    risk_level: { type: "string", enum: risks },
    user_authorization: { type: "string", enum: authorizations },
    outcome: { type: "string", enum: outcomes },
    rationale: { type: "string" },
  },
  required: ["risk_level", "user_authorization", "outcome", "rationale"],
  additionalProperties: false,
};

/**
 * Reads the reviewer's answer; undefined if it is no decision.
 *
 * The whole answer must be one JSON object: a decision inside of other text may be a quotation. An
 * approval of a critical risk contradicts itself.
 */
export function readDecision(text: string): Decision | undefined {
  const value = parse(text.trim().replace(/^```(?:json)?\n([\s\S]*)\n```$/, "$1"));
  if (!isRecord(value)) return undefined;
  const outcome = outcomes.find((one) => one === value.outcome);
  if (outcome === undefined) return undefined;
  const risk = risks.find((one) => one === value.risk_level);
  // A denial is one without the other fields too.
  if (outcome === "allow" && (risk === undefined || risk === "critical")) return undefined;
  const authorization = authorizations.find((one) => one === value.user_authorization);
  const { rationale } = value;
  return {
    outcome,
    risk: risk ?? "high",
    authorization: authorization ?? "unknown",
    rationale: typeof rationale === "string" && rationale.trim() !== "" ? rationale : noReason,
  };
}

const noReason = "The reviewer gave no reason.";

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
