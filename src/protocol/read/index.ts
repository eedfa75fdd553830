// Readers of incoming values. They load the generated checks, not the schema library.

export { assertDepth, MAX_DEPTH } from "./check.js";
export {
  findEventProblem,
  parseEvent,
  parseEventMsg,
  parseFileChange,
  parseHistoryEntry,
} from "./event.js";
export {
  parseInputItem,
  parseResponseInputItem,
  parseResponseItem,
  parseShellArguments,
} from "./items.js";
export {
  type AuthMethod,
  parseAskForApproval,
  parseAuthMethod,
  parseReviewDecision,
  parseSandboxPolicy,
} from "./policy.js";
export { parseRolloutLine } from "./rollout-line.js";
export { parseOp, parseSubmission } from "./submission.js";
