import { backoffMs } from "../model/backoff.js";
import type { ModelFailure } from "../model/types.js";
import type { StreamErrorEvent } from "../protocol/types.js";
import { buildPrompt } from "./prompt.js";
import type { RegularTaskOptions } from "./regular-task.js";
import { ResponseReader } from "./response-reader.js";
import type { Task } from "./task.js";
import { toTurnContextItem } from "./turn-context.js";

/** How one cycle of request and response ended. */
export interface TurnOutcome {
  failure?: ModelFailure;
  /** Tools were called: the model waits for their outputs. */
  needsAnswer: boolean;
  lastAgentMessage: string | undefined;
}

/** Asks the model once and does what it says; a broken stream is asked again within its budget. */
export async function runTurn(task: Task, options: RegularTaskOptions): Promise<TurnOutcome> {
  const { provider, clock } = task.session.parts;
  let useStored = provider.store;
  for (let retries = 0; ; ) {
    const outcome = await tryOnce(task, options, useStored);
    const { failure } = outcome;
    if (failure === undefined) return outcome;
    if (useStored && failure.kind === "http_status") {
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
  options: RegularTaskOptions,
  useStored: boolean,
): Promise<TurnOutcome> {
  const { session } = task;
  const context = session.context;
  session.parts.log.append({ type: "turn_context", payload: toTurnContextItem(context) });
  const prompt = buildPrompt(session, options, useStored);
  const reader = new ResponseReader(task, context);
  for await (const batch of session.parts.model.stream(prompt, task.signal)) {
    for (const item of batch) {
      const wait = reader.read(item);
      if (wait !== undefined) await wait;
    }
  }
  return reader.finish();
}

function retryNotice(
  task: Task,
  failure: ModelFailure,
  { retries, delay }: { retries: number; delay: number },
): StreamErrorEvent {
  const { era, provider } = task.session.parts;
  const progress = `${retries}/${provider.stream_max_retries}`;
  if (era.engine.retryNotice === "short") {
    const message = `Reconnecting... ${progress}`;
    return { type: "stream_error", message, additional_details: failure.message };
  }
  const message = `stream error: ${failure.message}; retrying ${progress} in ${delayText(delay)}…`;
  return { type: "stream_error", message };
}

/** Short waits in milliseconds, long ones in seconds: `203ms`, `1.898s`. */
function delayText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)}ms` : `${Number((ms / 1000).toFixed(3))}s`;
}
