import type { InputItem, ReviewOutputEvent, ReviewRequest } from "../../protocol/types.js";
import { emitUserMessage, sideConversation } from "../conversation.js";
import { type LoopOutcome, runLoop, warnOfUnknownModel } from "../loop.js";
import { toUserMessage, toUserMessageEvent } from "../messages.js";
import reviewPrompt from "../prompts/review.md";
import type { Task } from "../task.js";
import { overrideTurnContext, type TurnContext, workingContext } from "../turn-context.js";
import { parseReviewOutput, reviewItemId, reviewMessage, reviewQuestion } from "./output.js";
import { reviewHint, reviewText } from "./review-text.js";

/**
 * Runs a review as a separate thread, without approvals and with its own token usage.
 *
 * The session's conversation continues as if the model had answered with the result.
 */
export async function reviewInThread(task: Task, request: ReviewRequest): Promise<void> {
  task.onAbort = () => leave(task, undefined);
  warnOfUnknownModel(task);
  const hint = reviewHint(request);
  const entered = { ...request, user_facing_hint: hint };
  task.emit({ type: "entered_review_mode", ...entered }, reviewItemId(task));
  const { failure, lastAgentMessage } = await ask(task, request);
  if (failure !== undefined) task.fail(failure);
  const isDone = failure === undefined && lastAgentMessage !== undefined;
  leave(task, isDone ? rounded(parseReviewOutput(lastAgentMessage)) : undefined);
  task.complete(undefined);
}

async function ask(task: Task, request: ReviewRequest): Promise<LoopOutcome> {
  const { session } = task;
  const { newId, era, tools } = session.parts;
  const context = reviewContext(task);
  const [id, turnId] = [newId(), newId()];
  warnOfUnknownModel(task, context);
  task.start(session.windowOf(context), turnId);
  const input: InputItem[] = [{ type: "text", text: reviewQuestion(request) }];
  const message = await toUserMessage(input, era.engine);
  const event = toUserMessageEvent(message, input, era.engine);
  emitUserMessage(task, input, event, { threadId: id, turnId });
  task.emit(event); // Clients of that version get it from the thread and from the review.
  task.emit({ type: "mcp_startup_complete", ready: [], failed: [], cancelled: [] });
  const conversation = sideConversation(task, {
    id,
    turnId,
    subagent: "review",
    context,
    tools,
    instructions: reviewPrompt.trimEnd(),
    items: [...session.initialContext(), message],
  });
  return runLoop(task, conversation);
}

/** Reports the result to the client, and to the session's conversation as an answer. */
function leave(task: Task, output: ReviewOutputEvent | undefined): void {
  const result = output === undefined ? {} : { review_output: output };
  task.emit({ type: "exited_review_mode", ...result }, reviewItemId(task));
  const text = output === undefined ? interrupted : reviewText(result);
  const item = {
    type: "AgentMessage" as const,
    id: "review_rollout_assistant",
    content: [{ type: "Text" as const, text }],
  };
  task.emitItem("item_started", item);
  task.emitItem("item_completed", item);
  task.emit({ type: "agent_message", message: text }, item.id);
  const content = [{ type: "output_text" as const, text }];
  task.record([reviewMessage(output), { type: "message", role: "assistant", content }]);
}

const interrupted = "The review was interrupted before there was a result.";

/** Rounds scores to single precision, as the reference does. */
function rounded(output: ReviewOutputEvent): ReviewOutputEvent {
  return {
    ...output,
    findings: output.findings.map((finding) => ({
      ...finding,
      confidence_score: Math.fround(finding.confidence_score),
    })),
    overall_confidence_score: Math.fround(output.overall_confidence_score),
  };
}

function reviewContext({ session }: Task): TurnContext {
  const overrides = { model: session.config.review_model, approval_policy: "never" } as const;
  const context = overrideTurnContext(session.context, overrides, session.parts.era.model);
  return { ...workingContext(context, session.parts.era), isReview: true };
}
