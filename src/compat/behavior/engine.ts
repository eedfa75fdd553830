/** Switches of the engine: how a task is worked through, reported and recorded. */
export interface EngineBehavior {
  /**
   * Calls of one response: each is run before the response is read on, or those that are safe to run
   * in parallel, after the whole response or as soon as each is complete.
   */
  callOrder: "one by one" | "after the response" | "at once";
  /**
   * A failed request: continued with what had arrived of the response and a notice of the cause, and
   * after a summary if the conversation is too long; or repeated as it was, and one that is too long
   * fails the turn.
   */
  failedRequest: "continue" | "repeat";
  /**
   * Messages for the model besides those of the user: in 2025 its settings, the instructions and the
   * environment with the policies; later the policies, markers of aborted turns, tags around images,
   * and the opening again in forks, with the personality in the instructions. 2026-11 adds skills.
   */
  contextForm: "2025" | "2026-02" | "2026-11";
  /**
   * When `token_count` is emitted: before and after each response, at the end of each request
   * (aborted ones too), or once per complete response.
   */
  tokenCountEvents: "before and after" | "at the end" | "once";
  /** Text sent to the model in place of an image that cannot be sent: none, or one of two wordings. */
  invalidImageNote: "left out" | "image format" | "image";
  /** Emits raw reasoning deltas even if the client did not ask for them. */
  rawReasoningEvents: boolean;
  /**
   * User messages after a compaction: one message that contains all, and the summary is requested by
   * other instructions; or each on its own, and the request is one more message.
   */
  compactedHistory: "bridge" | "messages";
  /** Report of a finished compaction. */
  compactionEvent: "as a message" | "with a warning" | "as an item";
  /** Form of a review: by one long message, or as a separate thread whose result is an answer. */
  reviewForm: "by message" | "by thread";
  /** Position of the skills for the model: after the instructions (also if there are none), or separately. */
  skillsSection: "never" | "if any" | "always" | "as a message";
  /** Fields of the `user_message` event: its kind, its images and elements, or all. */
  userMessageFields: "kind" | "elements" | "all";
  /** When the user is warned that the model is not in the catalogue. */
  unknownModelWarning: "never" | "in the turn" | "before it";
  /**
   * Records the start and end of tasks with their bookmarks, and each item when it is complete, so
   * that neither an interrupt nor a kill loses one.
   */
  recordsTasks: boolean;
  /** Tag of a recorded sandbox policy: `mode` (until 0.45), `type` (later), or both. */
  policyTag: "mode" | "type" | "both";
  /** Records results of calls and names of items, so that past turns can be shown as they were. */
  recordsCalls: boolean;
  /** Records the plans of turns, so that past turns can be shown with them. */
  recordsPlans: boolean;
  /** Web calls reported: searches only, all, or all from their start with what is known by then. */
  webSearchEvents: "searches" | "all" | "all as known";
}

/** Our newest form. */
export const currentEngine: EngineBehavior = {
  callOrder: "at once",
  failedRequest: "continue",
  contextForm: "2025",
  tokenCountEvents: "once",
  invalidImageNote: "image",
  rawReasoningEvents: false,
  compactedHistory: "messages",
  compactionEvent: "as a message",
  reviewForm: "by message",
  skillsSection: "if any",
  userMessageFields: "all",
  unknownModelWarning: "never",
  recordsTasks: true,
  policyTag: "both",
  recordsCalls: true,
  recordsPlans: true,
  webSearchEvents: "all as known",
};
