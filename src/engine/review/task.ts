import type { ReviewOutputEvent, ReviewRequest } from "../../protocol/types.js";
import { sideConversation } from "../conversation.js";
import { type LoopOutcome, runLoop } from "../loop.js";
import { userMessage } from "../messages.js";
import reviewPrompt from "../prompts/review.md";
import type { Task, TaskWork } from "../task.js";
import { overrideTurnContext, type TurnContext, workingContext } from "../turn-context.js";
import { parseReviewOutput, reviewItemId, reviewMessage, reviewQuestion } from "./output.js";
import { reviewText } from "./review-text.js";
import { reviewInThread } from "./thread.js";

/**
 * Runs a review in a side conversation with its own model and settings.
 *
 * The session's conversation gets the result only.
 */
export function reviewTask(request: ReviewRequest): TaskWork {
  return async (task) => {
    const { era } = task.session.parts;
    // The specification has this reason; 0.166 reports an interrupted review like any other task.
    if (era.since.current) task.interruptReason = "review_ended";
    if (!(await mayAsk(task, request))) return task.complete(undefined);
    if (era.engine.reviewForm === "by thread") return reviewInThread(task, request);
    task.onAbort = () => leave(task, undefined);
    task.emit({ type: "entered_review_mode", ...request }, reviewItemId(task));
    const { failure, lastAgentMessage } = await ask(task, request);
    if (failure !== undefined) task.fail(failure);
    const isDone = failure === undefined && lastAgentMessage !== undefined;
    leave(task, isDone ? parseReviewOutput(lastAgentMessage) : undefined);
    task.complete(failure === undefined ? lastAgentMessage : undefined);
  };
}

/** Runs the hooks of prompts on what the user wrote; false if they reject it. */
async function mayAsk(task: Task, { target, prompt }: ReviewRequest): Promise<boolean> {
  const { hooks } = task.session;
  const text = target === undefined ? prompt : target.type === "custom" && target.instructions;
  if (hooks === undefined || !text) return true;
  return hooks.submit(task, [{ type: "text", text }], async () => {});
}

function ask(task: Task, request: ReviewRequest): Promise<LoopOutcome> {
  const { session } = task;
  const context = reviewContext(task);
  task.start(session.windowOf(context));
  const question = `${reviewPrompt.trimEnd()}\n\n---\n\nNow, here's your task: ${reviewQuestion(request)}`;
  const conversation = sideConversation(task, {
    context,
    tools: session.parts.tools,
    instructions: session.config.base_instructions,
    items: [...session.initialContext(), userMessage(question)],
  });
  return runLoop(task, conversation);
}

/** Reports the result to the client and to the session's conversation. */
function leave(task: Task, output: ReviewOutputEvent | undefined): void {
  const result = output === undefined ? {} : { review_output: output };
  task.emit({ type: "exited_review_mode", ...result }, reviewItemId(task));
  emitResult(task, reviewText(result));
  task.record([reviewMessage(output)]);
}

/** Emits the result as a message of the model, for clients that show items. */
function emitResult(task: Task, text: string): void {
  const item = {
    type: "AgentMessage" as const,
    id: `review_${task.turnId}`,
    content: [{ type: "Text" as const, text }],
  };
  task.emitItem("item_started", item);
  task.emitItem("item_completed", item);
  task.logItem(item);
}

function reviewContext({ session }: Task): TurnContext {
  const overrides = {
    model: session.config.review_model,
    effort: "low",
    summary: "detailed",
  } as const;
  const context = overrideTurnContext(session.context, overrides, session.parts.era.model);
  return { ...workingContext(context, session.parts.era), isReview: true };
}
