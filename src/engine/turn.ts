import { once } from "node:events";
import { backoffMs } from "../model/backoff.js";
import type { ModelFailure, Prompt, StreamItem } from "../model/types.js";
import type { Conversation } from "./conversation.js";
import { buildPrompt } from "./prompt.js";
import { ResponseReader } from "./response-reader.js";
import { retryNotice } from "./retry-notice.js";
import type { Task } from "./task.js";
import { type TurnContext, toTurnContextItem } from "./turn-context.js";

/** How one cycle of request and response ended. */
export interface TurnOutcome {
  failure?: ModelFailure;
  /** Tools were called: the model waits for their outputs. */
  needsAnswer: boolean;
  lastAgentMessage: string | undefined;
}

/** Asks the model once and does what it says; a broken stream is asked again within its budget. */
export async function runTurn(task: Task, conversation: Conversation): Promise<TurnOutcome> {
  const { repeatsRequests } = task.session.parts.era.engine;
  let first: Prompt | undefined;
  const mustUseStored = conversation.history.isOnlyStored;
  return askWithRetries(task, { mustUseStored }, async (useStored) => {
    // The model must know all tools before it is asked; later ones would come too late for it.
    await task.session.parts.mcp.started;
    const prompt = (repeatsRequests && first) || buildPrompt(conversation, { task, useStored });
    if (repeatsRequests) first ??= { ...prompt, input: [...prompt.input] };
    return tryOnce(task, conversation, first ?? prompt);
  });
}

/** Asks until an answer is complete, the budget is used up, or asking again cannot help. */
export async function askWithRetries<Outcome extends { failure?: ModelFailure }>(
  task: Task,
  { mustUseStored = false }: { mustUseStored?: boolean },
  ask: (useStored: boolean) => Promise<Outcome>,
): Promise<Outcome> {
  const { provider, clock } = task.session.parts;
  let useStored = provider.store || mustUseStored;
  for (let retries = 0; ; ) {
    const outcome = await ask(useStored);
    const { failure } = outcome;
    if (failure === undefined) return outcome;
    if (useStored && !mustUseStored && failure.kind === "http_status") {
      // The provider may have forgotten the previous response; the whole conversation still works.
      useStored = false;
      continue;
    }
    if (!failure.retryable || retries >= provider.stream_max_retries) return outcome;
    retries++;
    const delay = failure.retryAfterMs ?? backoffMs(retries, Math.random);
    task.emit(retryNotice(task, failure, { retries, delay }));
    await clock.sleep(delay, task.signal);
  }
}

async function tryOnce(
  task: Task,
  conversation: Conversation,
  prompt: Prompt,
): Promise<TurnOutcome> {
  const reader = new ResponseReader(task, conversation);
  await readResponse(task, { prompt, context: conversation.context, reader });
  return reader.finish();
}

/** Waits for a promise, or for the signal if that is first. */
async function untilAborted(done: Promise<void>, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const aborted = once(signal, "abort", { signal: stop.signal }).catch(() => undefined);
  await (signal.aborted ? undefined : Promise.race([done, aborted]));
  stop.abort();
}

/** Takes the pieces of a response; a promise says that nothing may be read before it settles. */
export interface StreamReader {
  read(item: StreamItem): Promise<void> | undefined;
}

/** Makes one request and hands its response to the reader. */
export async function readResponse(
  task: Task,
  { prompt, context, reader }: { prompt: Prompt; context: TurnContext; reader: StreamReader },
): Promise<void> {
  const { log, model, queues } = task.session.parts;
  log.append({ type: "turn_context", payload: toTurnContextItem(context) });
  for await (const batch of model.stream(prompt, task.signal)) {
    for (const item of batch) {
      const wait = reader.read(item);
      if (wait !== undefined) await wait;
    }
    // Not for every piece: a client that keeps up costs a look for each part of the stream.
    const room = queues.room?.();
    if (room !== undefined) await untilAborted(room, task.signal);
  }
}
