import { spellHidden } from "../../lib/hidden-characters.js";
import { stop } from "../state/actions.js";
import { shownPath } from "../state/paths.js";
import type { PendingRequest } from "../state/requests.js";
import type { ThreadView } from "../state/thread-view.js";

export type ApprovalRequest = Extract<
  PendingRequest,
  { kind: "command" | "fileChange" | "permissions" }
>;

/** An answer to an approval; `rule` also allows all commands with the same beginning for good. */
export type Decision = "accept" | "acceptForSession" | "rule" | "decline" | "cancel";

/** Answers an approval. */
export function decide(request: ApprovalRequest, decision: Decision, view: ThreadView): void {
  request.answer(toAnswer(request, decision));
  // Permissions have no answer that ends the turn.
  if (request.kind === "permissions" && decision === "cancel") void stop(view);
}

/**
 * Returns the beginning of commands that the server offers to allow for good; the server decides
 * which are safe.
 */
export function offeredRule({ kind, params }: ApprovalRequest): readonly string[] | undefined {
  if (kind !== "command") return undefined;
  const { proposedExecpolicyAmendment: rule, availableDecisions } = params;
  const isOffered = availableDecisions?.some(
    (one) => typeof one === "object" && one !== null && "acceptWithExecpolicyAmendment" in one,
  );
  return rule && rule.length > 0 && isOffered !== false ? rule : undefined;
}

/** Describes the commands that a rule allows; undefined if it is the asked one only. */
export function ruleText(rule: readonly string[]): string | undefined {
  const isScript = rule.length === 3 && /^-l?c$/.test(rule[1] ?? "");
  return isScript ? undefined : spellHidden(rule.join(" "));
}

/** Describes what is approved for the session. */
export function sessionScope({ kind, params }: ApprovalRequest, files: readonly string[]): string {
  switch (kind) {
    case "command":
      return "this exact command";
    case "fileChange":
      if (params.grantRoot) return `all changes in ${spellHidden(params.grantRoot)}`;
      if (files.length === 0) return "these files";
      return `changes of ${files.map((path) => spellHidden(shownPath(path))).join(", ")}`;
    case "permissions":
      return "these permissions";
  }
}

function toAnswer({ kind, params }: ApprovalRequest, decision: Decision): unknown {
  if (kind === "permissions") {
    const isGranted = decision === "accept" || decision === "acceptForSession";
    return {
      permissions: isGranted ? params.permissions : {},
      scope: decision === "acceptForSession" ? "session" : "turn",
    };
  }
  if (decision !== "rule" || kind !== "command") return { decision };
  const { proposedExecpolicyAmendment } = params;
  return {
    decision: {
      acceptWithExecpolicyAmendment: { execpolicy_amendment: proposedExecpolicyAmendment ?? [] },
    },
  };
}
