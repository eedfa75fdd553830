import type { ThreadItem } from "./item.js";

/** The tokens that a thread has used by the end of a turn. */
export interface Usage {
  /** Tokens sent to the model, cached ones included. */
  input_tokens: number;
  /** Tokens of the input that the model's server had cached. */
  cached_input_tokens: number;
  /** Tokens of the input that it wrote to its cache. */
  cache_write_input_tokens: number;
  /** Tokens that the model wrote, reasoning included. */
  output_tokens: number;
  /** Tokens of the output that were reasoning. */
  reasoning_output_tokens: number;
}

/** What happens in a thread, in the words of `exec --json` and the SDK. */
export type ThreadEvent =
  | { type: "thread.started"; thread_id: string }
  | { type: "turn.started" }
  | { type: "turn.completed"; usage: Usage }
  | { type: "turn.failed"; error: { message: string } }
  | { type: "item.started" | "item.updated" | "item.completed"; item: ThreadItem }
  | { type: "error"; message: string };
