import type { AgentMail } from "../agents/index.js";
import { errorText } from "../lib/errors.js";
import type { Prompt } from "../model/index.js";
import { notifyUser } from "../project/index.js";
import type { InputItem, ResponseItem } from "../protocol/types.js";
import { compactInside } from "./compact.js";
import { type Conversation, sessionConversation } from "./conversation.js";
import { isEmptyInput } from "./messages.js";
import { reportRefusal, type TaskFailure } from "./model-errors.js";
import { askWithRetries, buildPrompt, readResponse } from "./prompt.js";
import { ResponseReader, type StepOutcome } from "./response.js";
import type { Session } from "./session.js";
import { startTask, type Task, type TaskWork, type TurnTrigger } from "./task.js";
import { unknownModelWarning } from "./turn-context.js";

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
  task.reviewAction ??= async (call) =>
    (await import("./auto-review/auto-review.js")).reviewAction(task, call);
  let compacted = false;
  for (let isFirst = true; ; isFirst = false) {
    task.record(session.pending.takeItems());
    // Messages of other agents wait for the second step, as models expect it.
    if (!isFirst) task.record(session.pending.takeMail());
    if (session.lateItems.length > 0) conversation.record(session.lateItems.splice(0));
    for (const { items, from, submissionId } of session.pending.take()) {
      await conversation.addInput(items, from, submissionId);
      if (submissionId !== undefined) session.parts.queues.applied?.(submissionId);
    }
    const over = await session.budget?.exceeded();
    if (over !== undefined) {
      return { failure: { message: over, isOverBudget: true }, lastAgentMessage: undefined };
    }
    const outcome = await runStep(task, conversation);
    const { failure, needsAnswer, lastAgentMessage } = outcome;
    if (failure !== undefined) reportRefusal(task, conversation, failure);
    const isTooLong =
      failure?.kind === "context_length_exceeded" &&
      session.parts.era.engine.failedRequest === "continue";
    const isFull = isTooLong || (failure === undefined && session.isOverCompactLimit);
    if (failure !== undefined && !(isFull && !compacted)) return { failure, lastAgentMessage };
    if (isFull) {
      if (compacted) return { failure: { message: stillTooLong(task) }, lastAgentMessage };
      const spent = await session.budget?.exceeded();
      if (spent !== undefined) {
        const isComplete = failure === undefined && !needsAnswer && session.pending.isEmpty;
        if (isComplete) return { lastAgentMessage };
        return { failure: { message: spent, isOverBudget: true }, lastAgentMessage };
      }
      const failed = await compactInside(task, conversation, "auto");
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
export async function runStep(task: Task, conversation: Conversation): Promise<StepOutcome> {
  const retriesVerbatim = task.session.parts.era.engine.failedRequest === "repeat";
  let first: Prompt | undefined;
  const mustUseStored = conversation.history.isOnlyStored;
  return askWithRetries(task, { mustUseStored }, async (useStored) => {
    // The model must know all tools before it is asked; later ones would come too late for it.
    await task.session.parts.mcp.started;
    await conversation.tools.prepare?.(conversation.context);
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

function stillTooLong({ session }: Task): string {
  const { compactLimit, tokens } = session;
  return `The conversation is still over its limit of ${compactLimit} tokens after it was summarized: it has ${tokens.lastInContext}`;
}

/** Emits a warning about an unknown model in the turn, in eras that do. */
export function warnOfUnknownModel(task: Task, { model } = task.session.context): void {
  const { era } = task.session.parts;
  if (era.engine.unknownModelWarning !== "in the turn") return;
  const message = unknownModelWarning(model, era);
  if (message !== undefined) task.emit({ type: "warning", message });
}

/** Options of a regular task. */
interface RegularTaskOptions {
  /** The JSON Schema that the final answer must follow. */
  outputSchema?: unknown;
  /** Origin of the input, if the user did not send it directly. */
  trigger?: TurnTrigger;
  /** Messages with context of the client, before the input. */
  context?: readonly ResponseItem[];
}

/** Works on the user's input until the model has nothing more to do. */
export function regularTask(
  items: readonly InputItem[],
  { outputSchema, trigger, context = [] }: RegularTaskOptions = {},
): TaskWork {
  return async (task) => {
    if (isEmptyInput(items)) return task.complete(undefined);
    task.trigger = trigger;
    warnOfUnknownModel(task);
    task.start();
    const conversation = sessionConversation(task, outputSchema);
    const starts = await startConversation(task);
    if (starts) task.record(context);
    if (!starts || !(await conversation.addInput(items, "user", task.id))) {
      return task.complete(undefined);
    }
    await finishTurn(task, conversation, items);
  };
}

/** Works on the goal of the thread; the message describes it to the model. */
export function goalTask(message: ResponseItem): TaskWork {
  return async (task) => {
    task.trigger = "goal";
    warnOfUnknownModel(task);
    task.start();
    const conversation = sessionConversation(task, undefined);
    if (!(await startConversation(task))) return task.complete(undefined);
    conversation.record([message]);
    await finishTurn(task, conversation, []);
  };
}

/** Works on a task that another agent has given. */
export function agentTask(mail: AgentMail): TaskWork {
  return async (task) => {
    task.rootTurnId = mail.root_turn_id;
    task.parentTurnId = mail.parent_turn_id;
    warnOfUnknownModel(task);
    task.start();
    const conversation = sessionConversation(task, undefined);
    if (!(await startConversation(task))) return task.complete(undefined);
    task.record(task.session.pending.takeMail());
    task.session.recordMail(mail);
    await runTurn(task, conversation);
  };
}

/** Starts a task that asks the model nothing about input; input that joins it starts a turn when it has ended. */
export function startWithoutInput(session: Session, id: string, work: TaskWork): void {
  void startTask(session, id, work).settled.then(() => {
    if (session.task !== undefined) return;
    const [first, ...others] = session.pending.take();
    if (first === undefined) return;
    for (const { items, from, submissionId } of others) {
      session.pending.add(items, from, submissionId);
    }
    startTask(session, first.submissionId ?? session.parts.newId(), regularTask(first.items));
  });
}

/** Runs the loop until the turn ends, and the user's own program after it. */
export async function finishTurn(
  task: Task,
  conversation: Conversation,
  items: readonly InputItem[],
): Promise<void> {
  await runTurn(task, conversation, (answer) => notifyOfEnd(task, items, answer));
}

/** Runs the loop until neither the model nor a hook continues, and ends the task. */
async function runTurn(
  task: Task,
  conversation: Conversation,
  onEnd?: (lastAgentMessage: string | undefined) => void,
): Promise<void> {
  const { session } = task;
  let isAgain = false;
  for (;;) {
    const { failure, lastAgentMessage } = await runLoop(task, conversation);
    if (failure !== undefined) {
      await session.files?.finish(task);
      task.fail(failure);
      return task.complete(undefined);
    }
    if (await session.hooks?.stop(task, { lastAgentMessage, isAgain })) {
      isAgain = true;
      continue;
    }
    await session.files?.finish(task);
    if (session.pending.isEmpty) {
      onEnd?.(lastAgentMessage);
      return task.complete(lastAgentMessage);
    }
    // It came while the end was prepared, and its client was told that the turn has it.
    task.record(session.pending.takeMail());
  }
}

/** Runs the hooks of the first turn of a conversation; false if they end it. */
async function startConversation(task: Task): Promise<boolean> {
  const { hooks, startSource } = task.session;
  task.session.startSource = undefined;
  return hooks === undefined || startSource === undefined || hooks.start(task, startSource);
}

/** Starts the user's own program when a task has ended well. */
function notifyOfEnd(
  { session, id, turnId }: Task,
  items: readonly InputItem[],
  lastAgentMessage: string | undefined,
): void {
  const { notify } = session.config;
  if (notify === undefined || notify.length === 0) return;
  const isNewer = session.parts.era.since["0.104"];
  notifyUser(
    {
      type: "agent-turn-complete",
      ...(isNewer ? { "thread-id": session.id } : {}),
      "turn-id": isNewer ? turnId : id,
      ...(isNewer ? { cwd: session.context.cwd } : {}),
      "input-messages": items.flatMap((item) => (item.type === "text" ? [item.text] : [])),
      "last-assistant-message": lastAgentMessage ?? null,
    },
    {
      argv: notify,
      cwd: session.context.cwd,
      onFailure: (error) =>
        session.warn(`The notify program ${notify[0]} could not be started: ${errorText(error)}`),
    },
  );
}
