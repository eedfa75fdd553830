/** How events are written for clients of the queues. */
export interface EventDialect {
  /** Events that clients of the era were not told of. */
  hidden: ReadonlySet<string>;
  /** `task_complete` and `turn_aborted` say the last response, to come back to. */
  bookmarks: boolean;
  /** `{"type":"add",…}` or `{"add":{…}}`. */
  fileChange: "tagged" | "keyed";
  /** A tool's result as it is, or wrapped as `{"Ok":…}` or `{"Err":…}`. */
  mcpResult: "plain" | "wrapped";
}

/** As in the versions of autumn 2025. */
export const events2025: EventDialect = {
  hidden: new Set(["user_message"]),
  bookmarks: false,
  fileChange: "keyed",
  mcpResult: "wrapped",
};

/** As in the versions of 2026. */
export const events2026: EventDialect = {
  hidden: new Set(),
  bookmarks: false,
  fileChange: "tagged",
  mcpResult: "wrapped",
};
