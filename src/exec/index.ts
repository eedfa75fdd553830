export { type CaptureOptions, usualCapture } from "./capture.js";
export { type OnOutput, startChild } from "./child.js";
export {
  commandEnvironment,
  type EnvironmentPolicy,
  type EnvironmentSources,
  sessionVariables,
  shellEnvironment,
} from "./environment.js";
export type {
  CommandFailure,
  CommandResult,
  SandboxFailure,
  SignalFailure,
  StartFailure,
} from "./failure.js";
export { deniedMessage, deniedText, executionError, failureMessage } from "./failure.js";
export {
  type FinishedCommand,
  formattedOutput,
  type OutputCut,
  plainOutput,
  type SessionOutput,
  sessionOutput,
  structuredOutput,
  truncateAtLineEnds,
} from "./format-output.js";
export type { HostedCommand, HostedTerminal, TerminalHost } from "./hosted.js";
export {
  type LiveCommand,
  type LiveOptions,
  type LiveResult,
  startLiveCommand,
} from "./live-command.js";
export { type CommandStart, LoginShells } from "./login/login-shells.js";
export type { TerminalSize } from "./pty.js";
export { type RunOptions, runCommand } from "./run.js";
export { type Stdio, withSealedStdio } from "./sealed-stdio.js";
export type { SessionEnd, SessionOptions } from "./session.js";
export {
  ExecSessions,
  type RunningSession,
  type SessionAnswer,
  type SessionLimits,
  type SessionProblem,
} from "./sessions.js";
export {
  answerLimit,
  approxTokenCount,
  approxTokens,
  mergeAndTruncateItems,
  type OutputItem,
  type OutputLimit,
  outputLimitFor,
  truncateItems,
  truncateText,
  truncateWithNotice,
} from "./truncate.js";
