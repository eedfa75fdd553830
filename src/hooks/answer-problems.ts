import type { AnswerObject } from "./answer-fields.js";
import type { HookEventName } from "./hooks.js";

/** Events whose hooks forbid something: a denial without a reason is one too. */
export const forbidding = new Set<HookEventName>([
  "PreToolUse",
  "PostToolUse",
  "PermissionRequest",
  "UserPromptSubmit",
]);

/** Returns the reason that an answer with the right fields is still invalid. */
export function problemOf(event: HookEventName, answer: AnswerObject): string | undefined {
  const { hookSpecificOutput: own = {}, reason } = answer;
  const unsupported = (what: string) => `${event} hook returned unsupported ${what}`;
  const decides = event === "PreToolUse" || event === "PermissionRequest";
  if (decides && answer.continue === false) return unsupported("continue:false");
  if (decides && answer.stopReason !== undefined) return unsupported("stopReason");
  if ((decides || event === "PostToolUse") && answer.suppressOutput === true) {
    return answer.continue === false ? undefined : unsupported("suppressOutput");
  }
  if (event === "PermissionRequest") return problemOfRequest(own, unsupported);
  if (answer.continue === false) return undefined;
  if (own.updatedMCPToolOutput !== undefined) return unsupported("updatedMCPToolOutput");
  const usesPermission =
    own.permissionDecision ?? own.permissionDecisionReason ?? own.updatedInput ?? undefined;
  if (event === "PreToolUse" && usesPermission !== undefined) {
    return problemOfPermission(own, unsupported);
  }
  if (answer.decision === "approve") return unsupported("decision:approve");
  if (answer.decision === "block") {
    if (forbidding.has(event) || (reason !== undefined && reason.trim() !== "")) return undefined;
    return `${event} hook returned decision:block without a non-empty reason`;
  }
  const wantsDecision = event === "PreToolUse" || event === "PostToolUse";
  if (!wantsDecision || reason === undefined) return undefined;
  return `${event} hook returned reason without decision`;
}

type SpecificOutput = NonNullable<AnswerObject["hookSpecificOutput"]>;

function problemOfPermission(
  own: SpecificOutput,
  unsupported: (what: string) => string,
): string | undefined {
  const { permissionDecision: decision, updatedInput } = own;
  if (updatedInput !== undefined && decision !== "allow") {
    return "PreToolUse hook returned updatedInput without permissionDecision:allow";
  }
  if (decision === undefined) {
    return "PreToolUse hook returned permissionDecisionReason without permissionDecision";
  }
  if (decision === "ask") return unsupported("permissionDecision:ask");
  const isAlone = decision === "allow" && updatedInput === undefined;
  return isAlone ? unsupported("permissionDecision:allow") : undefined;
}

function problemOfRequest(
  { decision }: SpecificOutput,
  unsupported: (what: string) => string,
): string | undefined {
  if (decision?.updatedInput !== undefined) return unsupported("updatedInput");
  if (decision?.updatedPermissions !== undefined) return unsupported("updatedPermissions");
  return decision?.interrupt === true ? unsupported("interrupt:true") : undefined;
}
