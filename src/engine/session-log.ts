import type { RolloutItem, SessionMetaLine } from "../protocol/types.js";

/**
 * Log of one conversation, complete enough to resume it.
 *
 * An item passed to `append` survives the end of the process, even a kill.
 */
export interface SessionLog {
  /** Path of the log; `undefined` if it is not a file. */
  readonly path: string | undefined;
  /**
   * Adds an entry. With `"with the next"` it is written together with the entry after it, so that a
   * killed process leaves both or neither; logs that write several entries at once may ignore it.
   */
  append(item: RolloutItem, when?: "with the next"): void;
  /**
   * Resolves when everything appended and published so far is durable; rejects if it never will be.
   *
   * For logs that another engine may continue at any time: nothing starts before the log has its beginning, and
   * settings and outputs are logged at once. Omitted for logs that are durable anyway.
   */
  settled?(): Promise<void>;
  /** Writes what is pending and closes the log. */
  close(): Promise<void>;
}

/** Options for opening a log. */
export interface LogOptions {
  /** The folder `CODEX_HOME`. */
  home: string;
  /** Called if the log can no longer be written. */
  onFailure(message: string): void;
}

/** Opens the log of a new conversation; `meta` is its first entry. */
export type OpenLog = (meta: SessionMetaLine, options: LogOptions) => SessionLog;

/** Opens the log of a recorded conversation to append to it; throws if another process writes it. */
export type ResumeLog = (
  conversation: { id: string; path: string },
  options: LogOptions,
) => SessionLog;

/** Log of an ephemeral session: nothing is stored. */
export const noLog: SessionLog = { path: undefined, append() {}, close: async () => {} };
