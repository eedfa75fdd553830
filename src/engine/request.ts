import { once } from "node:events";
import { backoffMs, type ModelFailure, type Prompt, type StreamItem } from "../model/index.js";
import { retryNotice } from "./model-errors.js";
import type { Task } from "./task.js";
import { type TurnContext, toTurnContextItem } from "./turn-context.js";

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

/** Waits for a promise, or for the signal if that is first. */
async function untilAborted(done: Promise<void>, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const aborted = once(signal, "abort", { signal: stop.signal }).catch(() => undefined);
  await (signal.aborted ? undefined : Promise.race([done, aborted]));
  stop.abort();
}

/** Reads the items of a response. If `read` returns a promise, the stream pauses until it resolves. */
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
    // Once per batch, not per item: this is the hot path.
    const room = queues.room?.();
    if (room !== undefined) await untilAborted(room, task.signal);
  }
}
