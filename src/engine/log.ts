import type { RolloutItem, SessionMetaLine } from "../protocol/types.js";

/**
 * The record of one conversation: enough to go on with it later.
 *
 * What `append` was given survives the end of the process, however it comes.
 */
export interface SessionLog {
  /** Where it is kept, when it is a file. */
  readonly path: string | undefined;
  append(item: RolloutItem): void;
  close(): Promise<void>;
}

/** Where a log is kept, and who hears when it cannot be written any more. */
export interface LogOptions {
  home: string;
  onFailure(message: string): void;
}

/** Opens the log of a new conversation; `meta` is its first entry. */
export type OpenLog = (meta: SessionMetaLine, options: LogOptions) => SessionLog;

/** Opens the log of a recorded conversation to go on with; throws when someone else writes it. */
export type ResumeLog = (
  conversation: { id: string; path: string },
  options: LogOptions,
) => SessionLog;

/** The log of a session of which nothing is kept. */
export const noLog: SessionLog = { path: undefined, append() {}, close: async () => {} };
