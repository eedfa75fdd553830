import type { GuardianAssessmentEvent } from "../../protocol/types.js";
import type { HookDecision } from "../../tools/index.js";
import type { Task } from "../task.js";
import { type ReviewedCall, toAction, toExactAction } from "./action.js";
import { askReviewer, type ReviewOutcome } from "./ask-reviewer.js";
import { denialsOf } from "./denials.js";

/** Returns the decision about an action; undefined if there is none, so that the user is asked. */
export async function reviewAction(
  task: Task,
  { context, callId, reviewed }: ReviewedCall,
): Promise<HookDecision | undefined> {
  const { session } = task;
  const overruled = session.denials?.takeOverruled(reviewed);
  if (overruled !== undefined) {
    // Logged before the action, so that it passes only once even if the process ends now.
    const payload = { ...overruled, status: "approved" } as const;
    session.parts.log.append({ type: "event_msg", payload });
    return { behavior: "allow" };
  }
  const { clock, newId } = session.parts;
  const begun: GuardianAssessmentEvent = {
    type: "guardian_assessment",
    id: newId(),
    target_item_id: callId,
    turn_id: task.turnId,
    started_at_ms: clock.now(),
    status: "in_progress",
    action: toAction(reviewed, context.cwd),
  };
  task.emit(begun, callId);
  const outcome = await askReviewer(task, context, reviewed);
  const message = warningOf(outcome);
  if (message !== undefined) task.emit({ type: "guardian_warning", message }, callId);
  const completed_at_ms = clock.now();
  const isDenied = "outcome" in outcome && outcome.outcome === "deny";
  const ended: GuardianAssessmentEvent = {
    ...begun,
    ...endOf(outcome),
    completed_at_ms,
    decision_source: "agent",
    ...(isDenied ? { exact_action: toExactAction(reviewed) } : {}),
  };
  task.emit(ended, callId);
  if ("problem" in outcome) return undefined;
  if (!isDenied) return { behavior: "allow" };
  denialsOf(session).add(ended);
  return { behavior: "deny", message: denial(outcome.rationale) };
}

function endOf(
  outcome: ReviewOutcome,
): Pick<GuardianAssessmentEvent, "status" | "rationale" | "risk_level" | "user_authorization"> {
  if ("problem" in outcome) {
    return { status: outcome.isTimeout ? "timed_out" : "aborted", rationale: failure(outcome) };
  }
  return {
    status: outcome.outcome === "allow" ? "approved" : "denied",
    risk_level: outcome.risk,
    user_authorization: outcome.authorization,
    rationale: outcome.rationale,
  };
}

function warningOf(outcome: ReviewOutcome): string | undefined {
  if ("problem" in outcome) return failure(outcome);
  const { risk, authorization, rationale } = outcome;
  if (outcome.outcome === "allow") return undefined;
  return `Automatic approval review denied (risk: ${risk}, authorization: ${authorization}): ${rationale}`;
}

function failure({ problem }: { problem: string }): string {
  return `Automatic approval review failed: ${problem}`;
}

function denial(rationale: string): string {
  return `The automatic reviewer denied this action: ${rationale} Do not reach the same result in another way. Choose a safer alternative, or stop and explain the risk to the user, who can approve the action.`;
}
