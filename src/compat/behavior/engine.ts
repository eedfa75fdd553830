/** How the engine works through a task. */
export interface EngineBehavior {
  /** Calls of one response that are safe to run together do. */
  parallelCalls: boolean;
  /** When the calls of a response begin: as each is complete, or when all of it has come. */
  callsStart: "at once" | "after the response";
  /**
   * When the count of tokens is told: before and after each response, at the end of each request
   * (also of one that was aborted), or once for each response that is complete.
   */
  tokenCountEvents: "before and after" | "at the end" | "once";
  /** What the model is told of a picture that cannot be sent: nothing, or why, in one of two forms. */
  invalidImageNote: "left out" | "image format" | "image";
  /** Reasoning in full is told piece by piece, also to who did not ask for it. */
  rawReasoningEvents: boolean;
  /** Pictures stand between marks that name them. */
  labelsImages: boolean;
  /** What a conversation does that no longer fits: it is summarized, or the turn fails. */
  contextOverflow: "summarize" | "fail";
  /** A request that is made again is the same, whatever of the answer had come. */
  retriesVerbatim: boolean;
  /** The tone of answers is asked for in the instructions, not by a message. */
  personalityInInstructions: boolean;
  /** How the user is told that a broken stream is asked for again. */
  retryNotice: "with cause" | "short";
  /** The user is told when a refused request waits for long before it is made again. */
  retryWaitNotice: boolean;
  /** How a summary is asked for: by other instructions, or by one more message. */
  summaryRequest: "by instructions" | "by message";
  /** What is left of the user's messages after a summary: one message with all, or each. */
  compactedHistory: "bridge" | "messages";
  /** The conversation is summarized by itself when this much of the window is used, in percent. */
  autoCompactPercent: number | undefined;
  /** How a summary is told: by a message that it is done, by a warning, or as the item it is. */
  compactionEvent: "as a message" | "with a warning" | "as an item";
  /** How a review works: by one long message, or as a thread of its own whose result is an answer. */
  reviewForm: "by message" | "by thread";
  /** How a review that the user interrupts ends. */
  interruptedReview: "interrupted" | "review_ended";
  /** An interrupt is answered by `turn_aborted` also if no task runs. */
  idleInterruptEvent: boolean;
  /** Items are recorded as each is complete, so that neither a cut nor a kill loses one. */
  recordsImmediately: boolean;
  /** The diff of a task is told again with every response, also when it is the same. */
  repeatsTurnDiff: boolean;
  /** The head of a saved prompt says what it is for, and is no part of it. */
  promptFrontMatter: boolean;
  /** What stands in front of a conversation, and where in it the model is told what it may do. */
  opening: "policies in the environment" | "policies first" | "skills first";
  /** Where skills are named to the model: behind the instructions, also if there are none, or alone. */
  skillsSection: "never" | "if any" | "always" | "by themselves";
  /** How the user's and the project's instructions stand in front of the conversation. */
  instructionsForm: "user_instructions" | "agents_md";
  /** What the echo of a message says of it: its kind, the pictures and elements it has, or all. */
  userMessageFields: "kind" | "elements" | "all";
  /** The model is told what the user mentions, and the user what of it there is not. */
  resolvesMentions: boolean;
  /** Clients are told as a message what the model is told of other surroundings. */
  environmentEvents: boolean;
  /** `task_started` says whether the model works or plans. */
  taskStartedMode: boolean;
  /** When the user is told that nothing is known of the model: in every turn, or before it. */
  unknownModelWarning: "never" | "in the turn" | "before it";
  /** The model is told which calls and turns were cut short. */
  abortMarkers: boolean;
  /** The log keeps when tasks began and ended, and with them their bookmarks. */
  recordsTasks: boolean;
  /** How the log tags a sandbox policy: by `mode` (until 0.45), by `type` (later), or by both. */
  policyTag: "mode" | "type" | "both";
  /** The log keeps what calls did, and the names of items, to show turns again as they were. */
  recordsCalls: boolean;
  /** A copy of a conversation says once more, behind what it copies, what stands in front. */
  forksRepeatOpening: boolean;
  /** A conversation that goes on counts its tokens on, instead of from nothing. */
  restoresTokenUsage: boolean;
  /** What is told of the web: searches alone, all, or all from their beginning as far as known. */
  webSearchEvents: "searches" | "all" | "all as known";
  /** A patch is told while the model still writes it, where the settings want that. */
  patchPreviews: boolean;
}

/** As in the versions of autumn 2025. */
export const engine2025: EngineBehavior = {
  parallelCalls: false,
  callsStart: "at once",
  tokenCountEvents: "before and after",
  invalidImageNote: "left out",
  rawReasoningEvents: false,
  labelsImages: false,
  contextOverflow: "summarize",
  retriesVerbatim: false,
  personalityInInstructions: false,
  retryNotice: "with cause",
  retryWaitNotice: false,
  summaryRequest: "by instructions",
  compactedHistory: "bridge",
  compactionEvent: "as a message",
  reviewForm: "by message",
  autoCompactPercent: undefined,
  interruptedReview: "interrupted",
  idleInterruptEvent: false,
  recordsImmediately: false,
  repeatsTurnDiff: true,
  promptFrontMatter: false,
  opening: "policies in the environment",
  skillsSection: "never",
  instructionsForm: "user_instructions",
  userMessageFields: "kind",
  resolvesMentions: false,
  environmentEvents: false,
  taskStartedMode: false,
  unknownModelWarning: "never",
  abortMarkers: false,
  recordsTasks: false,
  policyTag: "mode",
  recordsCalls: false,
  forksRepeatOpening: false,
  restoresTokenUsage: false,
  webSearchEvents: "searches",
  patchPreviews: false,
};

/** As in the versions of 2026. */
export const engine2026: EngineBehavior = {
  parallelCalls: true,
  callsStart: "after the response",
  tokenCountEvents: "before and after",
  invalidImageNote: "image format",
  rawReasoningEvents: true,
  labelsImages: true,
  contextOverflow: "fail",
  retriesVerbatim: true,
  personalityInInstructions: true,
  retryNotice: "short",
  retryWaitNotice: false,
  summaryRequest: "by message",
  compactedHistory: "messages",
  compactionEvent: "with a warning",
  reviewForm: "by thread",
  autoCompactPercent: 90,
  interruptedReview: "interrupted",
  idleInterruptEvent: false,
  recordsImmediately: true,
  repeatsTurnDiff: true,
  promptFrontMatter: true,
  opening: "policies first",
  skillsSection: "always",
  instructionsForm: "agents_md",
  userMessageFields: "elements",
  resolvesMentions: false,
  environmentEvents: false,
  taskStartedMode: true,
  unknownModelWarning: "in the turn",
  abortMarkers: true,
  recordsTasks: true,
  policyTag: "type",
  recordsCalls: false,
  forksRepeatOpening: true,
  restoresTokenUsage: true,
  webSearchEvents: "all",
  patchPreviews: false,
};
