// Readers for what comes in, without the schema library: importing this loads the checks only.
export { type AuthMethod, parseAuthMethod } from "./auth-method.js";
export { assertDepth, MAX_DEPTH } from "./depth.js";
export { findEventProblem, parseEvent, parseEventMsg } from "./event.js";
export { parseFileChange } from "./file-change.js";
export { parseHistoryEntry } from "./history-entry.js";
export { parseInputItem } from "./input-item.js";
export { parseAskForApproval, parseSandboxPolicy } from "./policy.js";
export { parseResponseInputItem, parseResponseItem } from "./response-item.js";
export { parseReviewDecision } from "./review-decision.js";
export { parseRolloutLine } from "./rollout-line.js";
export { parseShellArguments } from "./shell-arguments.js";
export { parseOp, parseSubmission } from "./submission.js";
