/** How the engine works through a task. */
export interface EngineBehavior {
  /** Calls of one response that are safe to run together do. */
  parallelCalls: boolean;
  /** When the calls of a response begin: as each is complete, or when all of it has come. */
  callsBegin: "at once" | "after the response";
  /**
   * When the count of tokens is told: before and after each response, at the end of each request
   * (also of one that was aborted), or once for each response that is complete.
   */
  tokensTold: "before and after" | "at the end" | "once";
  /** What the model is told of a picture that cannot be sent: nothing, or why, in one of two forms. */
  imageProblems: "left out" | "image format" | "image";
  /** Reasoning in full is told piece by piece, also to who did not ask for it. */
  tellsRawReasoning: boolean;
  /** Pictures stand between marks that name them. */
  marksImages: boolean;
  /** What a conversation does that no longer fits: it is summarized, or the turn fails. */
  whenFull: "summarize" | "fail";
  /** A request that is made again is the same, whatever of the answer had come. */
  repeatsRequests: boolean;
  /** The tone of answers is asked for in the instructions, not by a message. */
  toneInInstructions: boolean;
  /** How the user is told that a broken stream is asked for again. */
  retryNotice: "with cause" | "short";
  /** The user is told when a refused request waits for long before it is made again. */
  tellsWaits: boolean;
  /** How a summary is asked for: by other instructions, or by one more message. */
  summaryRequest: "by instructions" | "by message";
  /** What is left of the user's messages after a summary: one message with all, or each. */
  compactedForm: "bridge" | "messages";
  /** The conversation is summarized by itself when this much of the window is used, in percent. */
  autoCompactPercent: number | undefined;
  /** How a summary is told: by a message that it is done, by a warning, or as the item it is. */
  compactTold: "as a message" | "with a warning" | "as an item";
  /** How a review works: by one long message, or as a thread of its own whose result is an answer. */
  reviewForm: "by message" | "by thread";
  /** How a review that the user interrupts ends. */
  interruptedReview: "interrupted" | "review_ended";
  /** An interrupt is answered by `turn_aborted` also if no task runs. */
  answersIdleInterrupt: boolean;
  /** Items are recorded as each is complete, so that neither a cut nor a kill loses one. */
  recordsAtOnce: boolean;
  /** The diff of a task is told again with every response, also when it is the same. */
  repeatsTurnDiff: boolean;
  /** The head of a saved prompt says what it is for, and is no part of it. */
  promptFrontMatter: boolean;
  /** What stands in front of a conversation, and where in it the model is told what it may do. */
  opening: "policies in the environment" | "policies first" | "skills first";
  /** Where skills are named to the model: behind the instructions, also if there are none, or alone. */
  listsSkills: "never" | "if any" | "always" | "by themselves";
  /** How the user's and the project's instructions stand in front of the conversation. */
  instructionsForm: "user_instructions" | "agents_md";
  /** What the echo of a message says of it: its kind, the pictures and elements it has, or all. */
  userMessage: "kind" | "elements" | "all";
  /** The model is told what the user mentions, and the user what of it there is not. */
  tellsMentions: boolean;
  /** Clients are told as a message what the model is told of other surroundings. */
  echoesEnvironment: boolean;
  /** `task_started` says whether the model works or plans. */
  saysMode: boolean;
  /** When the user is told that nothing is known of the model: in every turn, or before it. */
  warnsOfUnknownModels: "never" | "in the turn" | "before it";
  /** The model is told which calls and turns were cut short. */
  marksAborts: boolean;
  /** The log keeps when tasks began and ended, and with them their bookmarks. */
  logsTasks: boolean;
  /** How the log tags a sandbox policy: by `mode` (until 0.45), by `type` (later), or by both. */
  policyTag: "mode" | "type" | "both";
  /** The log keeps what calls did, and the names of items, to show turns again as they were. */
  logsCalls: boolean;
  /** A copy of a conversation says once more, behind what it copies, what stands in front. */
  copiesOpenAgain: boolean;
  /** A conversation that goes on counts its tokens on, instead of from nothing. */
  restoresTokens: boolean;
  /** What is told of the web: searches alone, all, or all from their beginning as far as known. */
  webTold: "searches" | "all" | "all as known";
  /** A patch is told while the model still writes it, where the settings want that. */
  previewsPatches: boolean;
}

/** As in the versions of autumn 2025. */
export const engine2025: EngineBehavior = {
  parallelCalls: false,
  callsBegin: "at once",
  tokensTold: "before and after",
  imageProblems: "left out",
  tellsRawReasoning: false,
  marksImages: false,
  whenFull: "summarize",
  repeatsRequests: false,
  toneInInstructions: false,
  retryNotice: "with cause",
  tellsWaits: false,
  summaryRequest: "by instructions",
  compactedForm: "bridge",
  compactTold: "as a message",
  reviewForm: "by message",
  autoCompactPercent: undefined,
  interruptedReview: "interrupted",
  answersIdleInterrupt: false,
  recordsAtOnce: false,
  repeatsTurnDiff: true,
  promptFrontMatter: false,
  opening: "policies in the environment",
  listsSkills: "never",
  instructionsForm: "user_instructions",
  userMessage: "kind",
  tellsMentions: false,
  echoesEnvironment: false,
  saysMode: false,
  warnsOfUnknownModels: "never",
  marksAborts: false,
  logsTasks: false,
  policyTag: "mode",
  logsCalls: false,
  copiesOpenAgain: false,
  restoresTokens: false,
  webTold: "searches",
  previewsPatches: false,
};

/** As in the versions of 2026. */
export const engine2026: EngineBehavior = {
  parallelCalls: true,
  callsBegin: "after the response",
  tokensTold: "before and after",
  imageProblems: "image format",
  tellsRawReasoning: true,
  marksImages: true,
  whenFull: "fail",
  repeatsRequests: true,
  toneInInstructions: true,
  retryNotice: "short",
  tellsWaits: false,
  summaryRequest: "by message",
  compactedForm: "messages",
  compactTold: "with a warning",
  reviewForm: "by thread",
  autoCompactPercent: 90,
  interruptedReview: "interrupted",
  answersIdleInterrupt: false,
  recordsAtOnce: true,
  repeatsTurnDiff: true,
  promptFrontMatter: true,
  opening: "policies first",
  listsSkills: "always",
  instructionsForm: "agents_md",
  userMessage: "elements",
  tellsMentions: false,
  echoesEnvironment: false,
  saysMode: true,
  warnsOfUnknownModels: "in the turn",
  marksAborts: true,
  logsTasks: true,
  policyTag: "type",
  logsCalls: false,
  copiesOpenAgain: true,
  restoresTokens: true,
  webTold: "all",
  previewsPatches: false,
};
