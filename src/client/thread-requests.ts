import type { ThreadGoalSetParams } from "../protocol/rpc/v2/goal.js";
import type { ThreadRewindParams } from "../protocol/rpc/v2/rewind.js";
import type { ThreadTurnsListParams } from "../protocol/rpc/v2/thread-history.js";
import type { ThreadListParams } from "../protocol/rpc/v2/thread-list.js";
import type { ThreadOptions } from "./thread-options.js";

export type { ThreadGoal } from "../protocol/rpc/v2/goal.js";
export type { ThreadRewindResponse as RewindResult } from "../protocol/rpc/v2/rewind.js";
export type { TurnsPage as TurnsList } from "../protocol/rpc/v2/thread-history.js";
export type { ThreadListResponse as ThreadsList } from "../protocol/rpc/v2/thread-list.js";

/** Options for a request. */
export interface RequestOptions {
  /** Gives up waiting; the request rejects with its reason. */
  signal?: AbortSignal;
}

/** Options for `Thread.fork`: those of the copy, and where it ends. */
export interface ForkOptions extends ThreadOptions, RequestOptions {
  /** Last turn to copy; default: all. */
  lastTurnId?: string;
}

/** Options for `Thread.rewind`. */
export interface RewindOptions extends Omit<ThreadRewindParams, "threadId">, RequestOptions {}

/** Options for `Thread.listTurns`. */
export interface ListTurnsOptions extends Omit<ThreadTurnsListParams, "threadId">, RequestOptions {}

/** Options for `Thread.setGoal`. */
export interface SetGoalOptions extends Omit<ThreadGoalSetParams, "threadId">, RequestOptions {}

/** Options for `Codex.listThreads`. */
export interface ListThreadsOptions extends ThreadListParams, RequestOptions {}
