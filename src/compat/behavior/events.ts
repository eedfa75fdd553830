/** How events are written for clients of the queues. */
export interface EventBehavior {
  /** Events that clients of the era were not told of. */
  hidden: ReadonlySet<string>;
  /** Which items are told as such, beside the messages they come in: plans alone, or all. */
  items: "plans" | "all";
  /** `agent_message_content_delta` follows each `agent_message_delta`, also unasked. */
  contentDeltas: boolean;
  /** Events say themselves to which turn, and to which part of an item, they belong. */
  placed: boolean;
  /** `session_configured` also says the settings that come from the config. */
  configuredFully: boolean;
  /** Errors say what they are in words for programs. */
  errorInfo: boolean;
  /** `task_complete` and `turn_aborted` say the last response, to come back to. */
  bookmarks: boolean;
  /** `{"type":"add",…}`, the same with `null` where a file keeps its name, or `{"add":{…}}`. */
  fileChange: "tagged" | "tagged with null" | "keyed";
  /** A tool's result as it is, or wrapped as `{"Ok":…}` or `{"Err":…}`. */
  mcpResult: "plain" | "wrapped";
}

/** As in the versions of autumn 2025. */
export const events2025: EventBehavior = {
  hidden: new Set([
    "mcp_tool_call_progress",
    "step_complete",
    "user_message",
    "view_image_tool_call",
  ]),
  items: "plans",
  contentDeltas: false,
  placed: false,
  errorInfo: false,
  configuredFully: false,
  bookmarks: false,
  fileChange: "keyed",
  mcpResult: "wrapped",
};

/** As in the versions of 2026. */
export const events2026: EventBehavior = {
  hidden: new Set([
    "dynamic_tool_call_response",
    "mcp_tool_call_progress",
    "step_complete",
    "submission_accepted",
  ]),
  items: "all",
  contentDeltas: false,
  placed: true,
  errorInfo: true,
  configuredFully: true,
  bookmarks: false,
  fileChange: "tagged with null",
  mcpResult: "wrapped",
};
