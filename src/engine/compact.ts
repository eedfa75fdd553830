import { closedEarly, type ModelFailure, type Prompt, type StreamItem } from "../model/index.js";
import type { ResponseItem } from "../protocol/types.js";
import { normalizeItems } from "../rollout/index.js";
import { compactedHistory } from "./compacted-history.js";
import { type Conversation, sessionConversation } from "./conversation.js";
import { instructionsFor } from "./instructions.js";
import { userMessage } from "./messages.js";
import {
  askWithRetries,
  readResponse,
  reasoningOf,
  requestIdentity,
  type StreamReader,
  verbosityOf,
  withInstructions,
} from "./prompt.js";
import compactPrompt from "./prompts/compact.md";
import type { Task, TaskWork } from "./task.js";
import { estimateTokens } from "./tokens.js";

/** Replaces the conversation by a summary of it, at the user's wish. */
export const compactTask: TaskWork = async (task) => {
  task.start();
  const over = await task.session.budget?.exceeded();
  const failure =
    over === undefined
      ? await compactInside(task, sessionConversation(task, undefined), "manual")
      : { message: over, isOverBudget: true };
  if (failure !== undefined) task.fail(failure);
  else if (task.session.parts.era.engine.compactionEvent === "as a message") {
    task.emit({ type: "agent_message", message: "Compact task completed" });
  }
  task.complete(undefined);
};

/** Summarizes a conversation and replaces its items by the summary. On failure nothing changes. */
export async function compactInside(
  task: Task,
  conversation: Conversation,
  trigger: "manual" | "auto",
): Promise<ModelFailure | undefined> {
  const { hooks } = task.session;
  if (hooks !== undefined && !(await hooks.beforeCompact(task, trigger))) {
    task.abort("interrupted", { isByUser: false });
    task.signal.throwIfAborted();
  }
  const item = { type: "ContextCompaction" as const, id: task.session.parts.newId() };
  task.emitItem("item_started", item);
  let items = conversation.history.items;
  for (;;) {
    const { failure, summary } = await askWithRetries(task, {}, () =>
      ask(task, conversation, items),
    );
    if (failure === undefined) {
      conversation.replace(compactedHistory(task.session, items, summary), summary);
      emitTokenEstimate(task, conversation);
      task.emitItem("item_completed", item);
      task.logItem(item);
      emitCompacted(task);
      await hooks?.afterCompact(task, trigger);
      return undefined;
    }
    // If the summary does not fit either, the oldest half is dropped.
    if (failure.kind !== "context_length_exceeded" || items.length < 4) return failure;
    items = items.slice(Math.ceil(items.length / 2));
  }
}

/** Emits the estimated size; the exact one is known only with the next response. */
function emitTokenEstimate(task: Task, { history, tokens }: Conversation): void {
  const { session } = task;
  if (session.parts.era.engine.compactionEvent === "as a message") return;
  tokens.estimate(estimateTokens(history.items));
  task.emit(tokens.event(session.contextWindow));
}

function emitCompacted(task: Task): void {
  if (task.session.parts.era.engine.compactionEvent !== "with a warning") return;
  task.emit({ type: "context_compacted" });
  task.emit({ type: "warning", message: compactedWarning });
}

const compactedWarning =
  "The conversation was summarized to make room. Each summary loses details: for work of another kind, a new conversation serves better.";

async function ask(task: Task, conversation: Conversation, items: readonly ResponseItem[]) {
  const reader = new SummaryReader(task);
  await task.session.parts.tools.prepare?.(conversation.context);
  const prompt = summaryPrompt(task, conversation, items);
  await readResponse(task, { prompt, context: conversation.context, reader });
  return reader.finish();
}

function summaryPrompt(
  task: Task,
  conversation: Conversation,
  items: readonly ResponseItem[],
): Prompt {
  const { session } = task;
  const { context } = conversation;
  const prompt = session.config.compact_prompt ?? compactPrompt;
  const byInstructions = session.parts.era.engine.compactedHistory === "bridge";
  const override = session.config.base_instructions;
  const tools = session.parts.tools.offered(context);
  const words = byInstructions ? "Start Summarization" : prompt;
  const question = { ...userMessage(words), id: "" };
  const { history } = conversation;
  const previous = history.isOnlyStored ? history.lastResponseId : undefined;
  const input = previous === undefined ? normalizeItems(items) : history.sinceLastResponse();
  return {
    model: context.model,
    ...withInstructions(task, {
      instructions: byInstructions
        ? prompt
        : instructionsFor({ override, family: context.family, tools }),
      input: [...input, question],
    }),
    ...(previous === undefined ? {} : { previousResponseId: previous }),
    tools: [],
    parallelToolCalls: false,
    ...reasoningOf(task, context),
    ...verbosityOf(context),
    ...requestIdentity(task, conversation, "compaction"),
  };
}

/** Reads the summary from a response; emits only its token usage. */
class SummaryReader implements StreamReader {
  #task: Task;
  #summary = "";
  #failure: ModelFailure | undefined = closedEarly();

  constructor(task: Task) {
    this.#task = task;
  }

  read(item: StreamItem): undefined {
    const { tokens } = this.#task.session;
    if (item.type === "accepted") {
      tokens.setRateLimits(item.rateLimits);
      this.#emitTokens();
    } else if (item.type === "item_done" && item.item.type === "message") {
      const parts = item.item.content.map((part) => ("text" in part ? part.text : ""));
      this.#summary = parts.join("");
    } else if (item.type === "completed") {
      this.#failure = undefined;
      tokens.add(item.usage);
      const { budget, context } = this.#task.session;
      budget?.add(item.usage, context.model);
    } else if (item.type === "failed") {
      this.#failure = item.failure;
    }
    return undefined;
  }

  finish(): { failure?: ModelFailure; summary: string } {
    if (this.#failure !== undefined) return { failure: this.#failure, summary: "" };
    this.#emitTokens();
    return { summary: this.#summary };
  }

  #emitTokens(): void {
    const { session } = this.#task;
    this.#task.emit(session.tokens.event(session.contextWindow));
  }
}
