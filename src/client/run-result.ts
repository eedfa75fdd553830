import type { TraceContext } from "../protocol/types.js";
import type { ThreadEvent, ThreadItem, ThreadStreamEvent, Usage } from "./thread-events/index.js";

/** Options for a turn. */
export interface TurnOptions {
  /** JSON Schema that the final message must match. */
  outputSchema?: unknown;
  /** Interrupts the turn; `run` rejects with its reason. */
  signal?: AbortSignal;
  /**
   * Adds `item.delta` and `usage.updated` to the events of `runStreamed`: tokens, output of commands and usage
   * as they come. `run` ignores them.
   */
  deltas?: boolean;
  /** Span of the caller that the turn is a part of, as W3C Trace Context. */
  trace?: TraceContext;
}

/** Result of a completed turn. */
export interface RunResult {
  /** All items of the turn, in the order they were completed. */
  items: ThreadItem[];
  /** Final message of the model. */
  finalResponse: string;
  /** The tokens that the thread has used so far; null if the server did not report them. */
  usage: Usage | null;
}

/** A running turn; leaving the loop over its events interrupts it. */
export interface RunStreamedResult<Event = ThreadEvent> {
  /** The events of the turn; it starts with the first `next()`. The model waits for a slow consumer. */
  events: AsyncGenerator<Event>;
}

/** A running turn with its deltas. */
export type RunDeltasResult = RunStreamedResult<ThreadStreamEvent>;
