/** Switches of the engine: how a task is worked through, reported and recorded. */
export interface EngineBehavior {
  /** Runs calls of one response in parallel if they are safe to. */
  parallelCalls: boolean;
  /** When the calls of a response start: as each is complete, or after the whole response. */
  callsStart: "at once" | "after the response";
  /**
   * When `token_count` is emitted: before and after each response, at the end of each request
   * (aborted ones too), or once per complete response.
   */
  tokenCountEvents: "before and after" | "at the end" | "once";
  /** Text sent to the model in place of an image that cannot be sent: none, or one of two wordings. */
  invalidImageNote: "left out" | "image format" | "image";
  /** Emits raw reasoning deltas even if the client did not ask for them. */
  rawReasoningEvents: boolean;
  /** Encloses images in tags that name them. */
  labelsImages: boolean;
  /** Reaction to a conversation that exceeds the context window. */
  contextOverflow: "summarize" | "fail";
  /** A retried request is identical, whatever part of the response had arrived. */
  retriesVerbatim: boolean;
  /** States the personality in the instructions instead of in a message. */
  personalityInInstructions: boolean;
  /** Text of the notice that a broken stream is retried. */
  retryNotice: "with cause" | "short";
  /** Notifies the user when a refused request waits long before its retry. */
  retryWaitNotice: boolean;
  /** Request for a summary: by other instructions, or by one more message. */
  summaryRequest: "by instructions" | "by message";
  /** User messages after a compaction: one message that contains all, or each on its own. */
  compactedHistory: "bridge" | "messages";
  /** Percentage of the context window that triggers automatic compaction; undefined: never. */
  autoCompactPercent: number | undefined;
  /** Report of a finished compaction. */
  compactionEvent: "as a message" | "with a warning" | "as an item";
  /** Form of a review: by one long message, or as a separate thread whose result is an answer. */
  reviewForm: "by message" | "by thread";
  /** Abort reason of a review that the user interrupts. */
  interruptedReview: "interrupted" | "review_ended";
  /** Emits `turn_aborted` for an interrupt even if no task is running. */
  idleInterruptEvent: boolean;
  /** Records each item when it is complete, so that neither an interrupt nor a kill loses one. */
  recordsImmediately: boolean;
  /** Emits the diff of a task after every response, even if it has not changed. */
  repeatsTurnDiff: boolean;
  /** Reads the front matter of a saved prompt as its description, not as part of the prompt. */
  promptFrontMatter: boolean;
  /** Messages at the start of a conversation, and the one that states the policies. */
  opening: "policies in the environment" | "policies first" | "skills first";
  /** Position of the skills for the model: after the instructions (also if there are none), or separately. */
  skillsSection: "never" | "if any" | "always" | "by themselves";
  /** Format of the message with the instructions of the user and the project. */
  instructionsForm: "user_instructions" | "agents_md";
  /** Fields of the `user_message` event: its kind, its images and elements, or all. */
  userMessageFields: "kind" | "elements" | "all";
  /** Adds mentioned skills and files for the model, and reports missing ones to the user. */
  resolvesMentions: boolean;
  /** Emits environment updates for the model as messages too. */
  environmentEvents: boolean;
  /** Includes the collaboration mode in `task_started`. */
  taskStartedMode: boolean;
  /** When the user is warned that the model is not in the catalogue. */
  unknownModelWarning: "never" | "in the turn" | "before it";
  /** Adds a message for the model about interrupted calls and turns. */
  abortMarkers: boolean;
  /** Records the start and end of tasks, and with them their bookmarks. */
  recordsTasks: boolean;
  /** Tag of a recorded sandbox policy: `mode` (until 0.45), `type` (later), or both. */
  policyTag: "mode" | "type" | "both";
  /** Records results of calls and names of items, so that past turns can be shown as they were. */
  recordsCalls: boolean;
  /** A fork repeats the opening messages after the copied ones. */
  forksRepeatOpening: boolean;
  /** A resumed conversation continues its token count instead of starting at zero. */
  restoresTokenUsage: boolean;
  /** Web calls reported: searches only, all, or all from their start with what is known by then. */
  webSearchEvents: "searches" | "all" | "all as known";
  /** Emits a patch while the model still writes it, if the settings enable that. */
  patchPreviews: boolean;
}

/** Our newest form. */
export const currentEngine: EngineBehavior = {
  parallelCalls: true,
  callsStart: "at once",
  tokenCountEvents: "once",
  invalidImageNote: "image",
  rawReasoningEvents: false,
  labelsImages: false,
  contextOverflow: "summarize",
  retriesVerbatim: false,
  personalityInInstructions: false,
  retryNotice: "with cause",
  retryWaitNotice: true,
  summaryRequest: "by message",
  compactedHistory: "messages",
  autoCompactPercent: 90,
  compactionEvent: "as a message",
  reviewForm: "by message",
  interruptedReview: "review_ended",
  idleInterruptEvent: true,
  recordsImmediately: true,
  repeatsTurnDiff: false,
  promptFrontMatter: true,
  opening: "policies in the environment",
  skillsSection: "if any",
  instructionsForm: "user_instructions",
  userMessageFields: "all",
  resolvesMentions: true,
  environmentEvents: false,
  taskStartedMode: true,
  unknownModelWarning: "never",
  abortMarkers: false,
  recordsTasks: true,
  policyTag: "both",
  recordsCalls: true,
  forksRepeatOpening: false,
  restoresTokenUsage: true,
  webSearchEvents: "all",
  patchPreviews: true,
};
