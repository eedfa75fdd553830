import type { ModelFailure, Prompt } from "../model/index.js";
import { compactInside } from "./compact.js";
import type { Conversation } from "./conversation.js";
import { buildPrompt } from "./prompt.js";
import { askWithRetries, readResponse } from "./request.js";
import { ResponseReader, type StepOutcome } from "./response.js";
import type { Task, TaskFailure } from "./task.js";

/** Outcome of a conversation with the model. */
export interface LoopOutcome {
  failure?: TaskFailure;
  lastAgentMessage: string | undefined;
}

/**
 * The agent loop: runs steps until the model makes no more calls and no input is pending.
 *
 * If the context window is full, the conversation is compacted and the step repeated; a
 * conversation that is still too long after that fails.
 */
export async function runLoop(task: Task, conversation: Conversation): Promise<LoopOutcome> {
  const { session } = task;
  let compacted = false;
  for (;;) {
    task.record(session.pending.takeItems());
    for (const input of session.pending.take()) await conversation.addInput(input);
    const outcome = await runStep(task, conversation);
    const { failure, needsAnswer, lastAgentMessage } = outcome;
    if (failure !== undefined) reportRefusal(task, conversation, failure);
    const { contextOverflow } = session.parts.era.engine;
    const isTooLong =
      failure?.kind === "context_length_exceeded" && contextOverflow === "summarize";
    const isFull = isTooLong || (failure === undefined && session.isOverCompactLimit);
    if (failure !== undefined && !(isFull && !compacted)) return { failure, lastAgentMessage };
    if (isFull) {
      if (compacted) return { failure: { message: stillTooLong(task) }, lastAgentMessage };
      const failed = await compactInside(task, conversation);
      if (failed !== undefined) return { failure: failed, lastAgentMessage };
      compacted = true;
      continue;
    }
    // Compaction may run again after the next step.
    if (needsAnswer) compacted = false;
    if (!needsAnswer && session.pending.isEmpty) return { lastAgentMessage };
  }
}

/** Runs one step: a request to the model and the calls it makes. A broken stream is retried within its budget. */
async function runStep(task: Task, conversation: Conversation): Promise<StepOutcome> {
  const { retriesVerbatim } = task.session.parts.era.engine;
  let first: Prompt | undefined;
  const mustUseStored = conversation.history.isOnlyStored;
  return askWithRetries(task, { mustUseStored }, async (useStored) => {
    // The model must know all tools before it is asked; later ones would come too late for it.
    await task.session.parts.mcp.started;
    const prompt = (retriesVerbatim && first) || buildPrompt(conversation, { task, useStored });
    if (retriesVerbatim) first ??= { ...prompt, input: [...prompt.input] };
    return tryOnce(task, conversation, first ?? prompt);
  });
}

async function tryOnce(
  task: Task,
  conversation: Conversation,
  prompt: Prompt,
): Promise<StepOutcome> {
  const reader = new ResponseReader(task, conversation);
  await readResponse(task, { prompt, context: conversation.context, reader });
  return reader.finish();
}

/** Emits the rate limits or the full window that a refusal implies, in eras that do. */
function reportRefusal(task: Task, { tokens, context }: Conversation, failure: ModelFailure): void {
  const { session } = task;
  if (session.parts.era.engine.contextOverflow !== "fail") return;
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
