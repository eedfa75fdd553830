/** Switches of the events that clients of the queues receive. */
export interface EventBehavior {
  /** Types of events that are not sent. */
  hidden: ReadonlySet<string>;
  /** Item events besides the messages they come in: plans only, or all. */
  items: "plans" | "all";
  /** Sends `agent_message_content_delta` after each `agent_message_delta`, even unrequested. */
  contentDeltas: boolean;
  /** Events include the ids of their turn and of the part of the item. */
  placed: boolean;
  /** `session_configured` includes the settings that come from the config. */
  configuredFully: boolean;
  /** Errors include a machine-readable code. */
  errorInfo: boolean;
  /** `task_complete` and `turn_aborted` include the last response id, to return to. */
  bookmarks: boolean;
  /** `{"type":"add",…}`, the same with `null` if a file keeps its name, or `{"add":{…}}`. */
  fileChange: "tagged" | "tagged with null" | "keyed";
  /** Result of a tool as it is, or wrapped as `{"Ok":…}` or `{"Err":…}`. */
  mcpResult: "plain" | "wrapped";
}

/** Our newest form. */
export const currentEvents: EventBehavior = {
  hidden: new Set(["step_complete"]),
  items: "plans",
  contentDeltas: true,
  placed: false,
  configuredFully: false,
  errorInfo: true,
  bookmarks: true,
  fileChange: "tagged",
  mcpResult: "plain",
};
