import type { ModelFailure } from "../model/types.js";
import type { StreamErrorEvent } from "../protocol/types.js";
import { retryInfo } from "./error-info.js";
import type { Task } from "./task.js";

/** Tells the user that a broken stream is asked for again. */
export function retryNotice(
  task: Task,
  failure: ModelFailure,
  { retries, delay }: { retries: number; delay: number },
): StreamErrorEvent {
  const { era, provider } = task.session.parts;
  const progress = `${retries}/${provider.stream_max_retries}`;
  if (era.engine.retryNotice === "short") {
    const message = `Reconnecting... ${progress}`;
    return {
      type: "stream_error",
      message,
      codex_error_info: retryInfo(failure),
      additional_details: failure.message,
    };
  }
  const message = `stream error: ${failure.message}; retrying ${progress} in ${delayText(delay)}…`;
  return { type: "stream_error", message };
}

/** Tells the user why nothing comes while a refused request waits to be made again, if it takes long. */
export function waitNotice(failure: ModelFailure, delay: number): StreamErrorEvent | undefined {
  if (delay < noticeableMs) return undefined;
  const { status } = failure;
  const reason = status === undefined ? failure.message : `the model server answered ${status}`;
  return {
    type: "stream_error",
    message: `stream error: ${reason}; retrying in ${delayText(delay)}…`,
  };
}

/** Shorter waits are over before anyone wonders. */
const noticeableMs = 1_000;

/** Short waits in milliseconds, long ones in seconds: `203ms`, `1.898s`. */
function delayText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)}ms` : `${Number((ms / 1000).toFixed(3))}s`;
}
