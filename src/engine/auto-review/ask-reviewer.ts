import type { Config } from "../../config/index.js";
import { errorText } from "../../lib/errors.js";
import { joinSignals } from "../../lib/join-signals.js";
import { modelPresets, presetOf } from "../../model/index.js";
import { sideConversation } from "../conversation.js";
import { runStep } from "../loop.js";
import { userMessage } from "../messages.js";
import reviewerPrompt from "../prompts/auto-review.md";
import type { Task } from "../task.js";
import { overrideTurnContext, readOnlyRules, type TurnContext } from "../turn-context.js";
import { describeAction, type ReviewedRequest } from "./action.js";
import { type Decision, decisionSchema, readDecision } from "./decision.js";
import { commandTools, ReviewerTask } from "./reviewer-task.js";
import { toTranscript } from "./transcript.js";

/** A decision, or the reason why there is none. */
export type ReviewOutcome = Decision | { problem: string; isTimeout?: true };

const limits = { seconds: 90, steps: 10, tokens: 150_000, actionBytes: 100_000 };

/** Asks the reviewer about an action. Rejects only if the task is aborted. */
export async function askReviewer(
  task: Task,
  context: TurnContext,
  reviewed: ReviewedRequest,
): Promise<ReviewOutcome> {
  const { clock } = task.session.parts;
  const over = joinSignals(task.signal);
  const { signal } = over;
  const timeout = clock.sleep(limits.seconds * 1000, signal).then(
    () => timedOut,
    () => undefined,
  );
  const review = converse(new ReviewerTask(task, signal), context, reviewed).catch(
    (error: unknown): ReviewOutcome => ({ problem: errorText(error) }),
  );
  const outcome = await Promise.race([review, timeout]);
  // Ends the timer, or the work of the reviewer and the commands that it has left running.
  over.end(new Error("the review is over"));
  task.signal.throwIfAborted();
  return outcome ?? timedOut;
}

const timedOut: ReviewOutcome = {
  problem: `timed out after ${limits.seconds} s`,
  isTimeout: true,
};

async function converse(
  task: ReviewerTask,
  context: TurnContext,
  reviewed: ReviewedRequest,
): Promise<ReviewOutcome> {
  const action = describeAction(reviewed);
  if (action.length > limits.actionBytes) {
    return { problem: `the action is too long to review (${action.length} characters)` };
  }
  const { session } = task;
  const { newId, tools } = session.parts;
  const conversation = {
    ...sideConversation(task, {
      id: newId(),
      turnId: newId(),
      subagent: "guardian",
      context: reviewerContext(task, context),
      tools: commandTools(tools),
      instructions: instructionsOf(session.config),
      items: [userMessage(question(task, action))],
    }),
    outputSchema: decisionSchema,
  };
  for (let step = 0; step < limits.steps; step++) {
    const problem = await session.budget?.exceeded();
    if (problem !== undefined) return { problem };
    const { failure, needsAnswer, lastAgentMessage = "" } = await runStep(task, conversation);
    if (failure !== undefined) return { problem: failure.message };
    if (!needsAnswer) {
      return readDecision(lastAgentMessage) ?? { problem: "the answer is no decision" };
    }
    if (conversation.tokens.spent > limits.tokens) {
      return { problem: `it used more than ${limits.tokens} tokens` };
    }
  }
  return { problem: `it came to no decision in ${limits.steps} steps` };
}

/** Returns the instructions of the reviewer, with the policy of the administrator, or else of the user. */
function instructionsOf({ settings, requirements }: Config): string {
  const policy = requirements?.values.guardian_policy_config ?? settings.auto_review?.policy ?? "";
  const isEmpty = policy.trim() === "";
  return isEmpty
    ? reviewerPrompt.trimEnd()
    : `${reviewerPrompt.trimEnd()}\n\n${policyHead}\n\n${policy.trim()}`;
}

const policyHead =
  "## Policy\n\nThe owner of this machine has set the rules below. They are instructions to you. Where they differ from the section on how to decide, they hold; the form of the answer stays.";

function question({ session }: Task, action: string): string {
  const isHelper = session.parts.agent?.self.parent !== undefined;
  return [
    "Conversation, oldest first:",
    toTranscript(session.history.items),
    ...(isHelper
      ? ["", "The agent is a helper of another agent, which may have written its `user` lines."]
      : []),
    "",
    `Action, in the folder ${JSON.stringify(session.context.cwd)}:`,
    action,
  ].join("\n");
}

/** Settings of the reviewer: it reads what the agent may read, writes nothing and asks no one. */
function reviewerContext({ session }: Task, context: TurnContext): TurnContext {
  const { era, provider } = session.parts;
  const presets = modelPresets(era.model.catalogue);
  // Other providers do not have the model that is made for this.
  const isOffered = provider.id === "openai" && presets.some(({ id }) => id === reviewModel);
  const model = isOffered ? reviewModel : context.model;
  const efforts = presetOf(model, era.model.catalogue)?.efforts;
  const hasLow = efforts === undefined || efforts.includes("low");
  const own = overrideTurnContext(
    context,
    {
      model,
      ...(hasLow ? { effort: "low" as const } : {}),
      approval_policy: "never",
      approvals_reviewer: "user",
      sandbox_policy: { mode: "read-only" },
      rules: context.permissions === undefined ? null : readOnlyRules(context.permissions),
    },
    era.model,
  );
  return { ...own, collaboration_mode: undefined, isReview: true, isConfined: true };
}

const reviewModel = "codex-auto-review";
