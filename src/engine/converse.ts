import type { ModelFailure } from "../model/types.js";
import { compactInside } from "./compact/compact.js";
import type { Conversation } from "./conversation.js";
import type { Task, TaskFailure } from "./task.js";
import { runTurn } from "./turn.js";

/** How a conversation with the model ended. */
export interface ConversationOutcome {
  failure?: TaskFailure;
  lastAgentMessage: string | undefined;
}

/** Runs turns until the model has nothing more to do and nobody has anything more to say. */
export async function converse(
  task: Task,
  conversation: Conversation,
): Promise<ConversationOutcome> {
  const { session } = task;
  let compacted = false;
  for (;;) {
    task.record(session.pending.takeItems());
    for (const input of session.pending.take()) await conversation.addInput(input);
    const outcome = await runTurn(task, conversation);
    const { failure, needsAnswer, lastAgentMessage } = outcome;
    if (failure !== undefined) tellRefusal(task, conversation, failure);
    const { whenFull } = session.parts.era.engine;
    const isTooLong = failure?.kind === "context_length_exceeded" && whenFull === "summarize";
    const isFull = isTooLong || (failure === undefined && session.isOverCompactLimit);
    if (failure !== undefined && !(isFull && !compacted)) return { failure, lastAgentMessage };
    if (isFull) {
      if (compacted) return { failure: { message: stillTooLong(task) }, lastAgentMessage };
      const failed = await compactInside(task, conversation);
      if (failed !== undefined) return { failure: failed, lastAgentMessage };
      compacted = true;
      continue;
    }
    // What was made room for has been used; the next time is a new start.
    if (needsAnswer) compacted = false;
    if (!needsAnswer && session.pending.isEmpty) return { lastAgentMessage };
  }
}

/** What a refusal says of limits and of the window is told before it, where the version does. */
function tellRefusal(task: Task, { tokens, context }: Conversation, failure: ModelFailure): void {
  const { session } = task;
  if (session.parts.era.engine.whenFull !== "fail") return;
  const window = session.windowOf(context);
  if (failure.kind === "context_length_exceeded" && window !== undefined) tokens.fill(window);
  else if (failure.kind === "usage_limit") tokens.setRateLimits(failure.rateLimits);
  else return;
  task.emit(tokens.event(window));
}

function stillTooLong({ session }: Task): string {
  const { compactLimit, tokens } = session;
  return `The conversation is still over its limit of ${compactLimit} tokens after it was summarized: it has ${tokens.lastInContext}`;
}
