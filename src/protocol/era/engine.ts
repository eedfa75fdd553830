/** How the engine works through a task. */
export interface EngineDialect {
  /** Calls of one response that are safe to run together do. */
  parallelCalls: boolean;
  /** A picture that cannot be read is told to the model in words instead of being left out. */
  saysUnreadableImages: boolean;
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
  /** How a review that the user interrupts ends. */
  interruptedReview: "interrupted" | "review_ended";
  /** Items are recorded as each is complete, so that neither a cut nor a kill loses one. */
  recordsAtOnce: boolean;
  /** The diff of a task is told again with every response, also when it is the same. */
  repeatsTurnDiff: boolean;
  /** The head of a saved prompt says what it is for, and is no part of it. */
  promptFrontMatter: boolean;
  /** Skills are named to the model behind the instructions. */
  listsSkills: boolean;
  /** How the user's and the project's instructions stand in front of the conversation. */
  instructionsForm: "user_instructions" | "agents_md";
  /** What the echo of a message says of it: its kind, or the pictures and elements it has. */
  userMessage: "kind" | "elements";
  /** The log keeps when tasks began and ended, and with them their bookmarks. */
  logsTasks: boolean;
  /** A conversation that goes on counts its tokens on, instead of from nothing. */
  restoresTokens: boolean;
}

/** As in the versions of autumn 2025. */
export const engine2025: EngineDialect = {
  parallelCalls: false,
  saysUnreadableImages: false,
  retryNotice: "with cause",
  tellsWaits: false,
  summaryRequest: "by instructions",
  compactedForm: "bridge",
  autoCompactPercent: undefined,
  interruptedReview: "interrupted",
  recordsAtOnce: false,
  repeatsTurnDiff: true,
  promptFrontMatter: false,
  listsSkills: false,
  instructionsForm: "user_instructions",
  userMessage: "kind",
  logsTasks: false,
  restoresTokens: false,
};

/** As in the versions of 2026. */
export const engine2026: EngineDialect = {
  parallelCalls: true,
  saysUnreadableImages: true,
  retryNotice: "short",
  tellsWaits: false,
  summaryRequest: "by message",
  compactedForm: "messages",
  autoCompactPercent: 90,
  interruptedReview: "interrupted",
  recordsAtOnce: true,
  repeatsTurnDiff: true,
  promptFrontMatter: true,
  listsSkills: true,
  instructionsForm: "agents_md",
  userMessage: "elements",
  logsTasks: true,
  restoresTokens: true,
};
