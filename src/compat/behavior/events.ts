/** Switches of the events that clients of the queues receive; their shapes are dated in the schemas. */
export interface EventBehavior {
  /** Messages of the user that are sent: all, or only those that the engine adds. */
  userMessages: "all" | "of the engine";
  /** Sends `agent_message_content_delta` after each `agent_message_delta`, even unrequested. */
  contentDeltas: boolean;
  /** Repeats the ids of the turn and of the part of the item in the message of an event. */
  placed: boolean;
  /** `{"type":"add",…}`, the same with `null` if a file keeps its name, or `{"add":{…}}`. */
  fileChange: "tagged" | "tagged with null" | "keyed";
  /** Result of a tool as it is, or wrapped as `{"Ok":…}` or `{"Err":…}`. */
  mcpResult: "plain" | "wrapped";
}

/** Our newest form. */
export const currentEvents: EventBehavior = {
  userMessages: "all",
  contentDeltas: true,
  placed: false,
  fileChange: "tagged",
  mcpResult: "plain",
};
