export { ExecPolicyAmendmentDecision, ReviewDecision } from "./approval.js";
export {
  CollaborationMode,
  CollaborationModeKind,
  CollaborationSettings,
  Personality,
  ReasoningEffort,
  ReasoningSummary,
  SandboxMode,
  Verbosity,
} from "./config-types.js";
export { CustomPrompt } from "./custom-prompt.js";
export { Duration } from "./duration.js";
export {
  DynamicTool,
  DynamicToolContent,
  DynamicToolImage,
  DynamicToolResponse,
  DynamicToolText,
} from "./dynamic-tool.js";
export { CodexError, type CodexErrorOptions, type ErrorCode } from "./error.js";
export {
  DynamicToolCallRequestEvent,
  DynamicToolCallResponseEvent,
} from "./events/dynamic-tool.js";
export {
  ExecApprovalRequestEvent,
  ExecCommandBeginEvent,
  ExecCommandEndEvent,
  ExecCommandOutputDeltaEvent,
  ExecCommandSource,
  ExecCommandStatus,
  ExecOutputStream,
  TerminalInteractionEvent,
} from "./events/exec.js";
export { Event, EventMsg } from "./events/index.js";
export { ItemCompletedEvent, ItemStartedEvent, RawResponseItemEvent } from "./events/item.js";
export { ListCustomPromptsResponseEvent, ListSkillsResponseEvent } from "./events/listing.js";
export {
  ElicitationRequestEvent,
  McpCancelled,
  McpFailed,
  McpListToolsResponseEvent,
  McpReady,
  McpStarting,
  McpStartupCompleteEvent,
  McpStartupFailure,
  McpStartupStatus,
  McpStartupUpdateEvent,
  McpToolCallBeginEvent,
  McpToolCallEndEvent,
  McpToolCallProgressEvent,
} from "./events/mcp.js";
export {
  AgentMessageContentDeltaEvent,
  AgentMessageDeltaEvent,
  AgentMessageEvent,
  UserMessageEvent,
  UserMessageKind,
} from "./events/message.js";
export {
  ApplyPatchApprovalRequestEvent,
  PatchApplyBeginEvent,
  PatchApplyEndEvent,
  PatchApplyStatus,
  PatchApplyUpdatedEvent,
} from "./events/patch.js";
export { PlanDeltaEvent, PlanUpdateEvent } from "./events/plan.js";
export {
  AgentReasoningDeltaEvent,
  AgentReasoningEvent,
  AgentReasoningRawContentDeltaEvent,
  AgentReasoningRawContentEvent,
  AgentReasoningSectionBreakEvent,
  ReasoningContentDeltaEvent,
  ReasoningRawContentDeltaEvent,
} from "./events/reasoning.js";
export { RequestPermissionsEvent } from "./events/request-permissions.js";
export { RequestUserInputEvent } from "./events/request-user-input.js";
export { EnteredReviewModeEvent, ExitedReviewModeEvent } from "./events/review.js";
export {
  ConversationPathEvent,
  GetHistoryEntryResponseEvent,
  SessionConfiguredEvent,
} from "./events/session.js";
export {
  BackgroundEvent,
  ErrorEvent,
  ShutdownCompleteEvent,
  StreamErrorEvent,
  SubmissionAcceptedEvent,
  WarningEvent,
} from "./events/status.js";
export {
  ContextCompactedEvent,
  ThreadNameUpdatedEvent,
  ThreadRolledBackEvent,
} from "./events/thread.js";
export {
  StepCompleteEvent,
  TaskCompleteEvent,
  TaskStartedEvent,
  TokenCountEvent,
  TurnAbortedEvent,
  TurnAbortReason,
  TurnDiffEvent,
} from "./events/turn.js";
export { ViewImageToolCallEvent } from "./events/view-image.js";
export { WebSearchBeginEvent, WebSearchEndEvent } from "./events/web-search.js";
export { AddFileChange, DeleteFileChange, FileChange, UpdateFileChange } from "./file-change.js";
export { formatTokens } from "./format-tokens.js";
export { HistoryEntry } from "./history.js";
export {
  ContentItem,
  FunctionCallOutput,
  InputImageContent,
  InputTextContent,
  OutputTextContent,
  ToolOutputContent,
} from "./items/content.js";
export {
  ByteRange,
  ImageInput,
  InputItem,
  LocalImageInput,
  Mention,
  MentionInput,
  SkillInput,
  TextElement,
  TextInput,
} from "./items/input.js";
export { LocalShellAction, LocalShellCallItem, LocalShellStatus } from "./items/local-shell.js";
export {
  PlainReasoningText,
  ReasoningContent,
  ReasoningItem,
  ReasoningText,
  SummaryText,
} from "./items/reasoning.js";
export {
  CompactionItem,
  CustomToolCallItem,
  CustomToolCallOutputItem,
  FunctionCallItem,
  FunctionCallOutputItem,
  GhostSnapshotItem,
  MessageItem,
  OtherItem,
  ResponseItem,
} from "./items/response.js";
export { McpToolCallOutputInput, MessageInput, ResponseInputItem } from "./items/response-input.js";
export { ShellToolCallParams } from "./items/shell-arguments.js";
export {
  CustomToolSpec,
  FunctionToolSpec,
  GrammarFormat,
  LocalShellToolSpec,
  NamespaceToolSpec,
  ToolSpec,
  WebSearchToolSpec,
} from "./items/tool-spec.js";
export {
  FindInPageAction,
  OpenPageAction,
  OtherWebAction,
  SearchAction,
  WebSearchAction,
  WebSearchCallItem,
} from "./items/web-search.js";
export { eventsOfCompletedItem, eventsOfStartedItem } from "./legacy-events.js";
export { CallToolResult, McpContentBlock, McpInvocation, McpTool } from "./mcp.js";
export { type McpOutput, outputText, toMcpOutput, toOutputParts } from "./mcp-output.js";
export { AddToHistoryOp } from "./ops/add-to-history.js";
export { CompactOp } from "./ops/compact.js";
export { ConfigureSessionOp } from "./ops/configure-session.js";
export { DynamicToolResponseOp } from "./ops/dynamic-tool-response.js";
export { ExecApprovalOp } from "./ops/exec-approval.js";
export { GetHistoryEntryRequestOp } from "./ops/get-history-entry-request.js";
export { GetPathOp } from "./ops/get-path.js";
export { Op, Submission } from "./ops/index.js";
export { InjectItemsOp } from "./ops/inject-items.js";
export { InterruptOp } from "./ops/interrupt.js";
export { ListCustomPromptsOp } from "./ops/list-custom-prompts.js";
export { ListMcpToolsOp } from "./ops/list-mcp-tools.js";
export { ListSkillsOp } from "./ops/list-skills.js";
export { OverrideTurnContextOp } from "./ops/override-turn-context.js";
export { PatchApprovalOp } from "./ops/patch-approval.js";
export { RequestPermissionsResponseOp } from "./ops/request-permissions-response.js";
export { ElicitationAction, ResolveElicitationOp } from "./ops/resolve-elicitation.js";
export { ReviewOp } from "./ops/review.js";
export { RunUserShellCommandOp } from "./ops/run-user-shell-command.js";
export { SetThreadNameOp } from "./ops/set-thread-name.js";
export { ShutdownOp } from "./ops/shutdown.js";
export { SteerInputOp } from "./ops/steer-input.js";
export { ThreadRollbackOp } from "./ops/thread-rollback.js";
export { UserInputOp } from "./ops/user-input.js";
export { UserInputAnswerOp } from "./ops/user-input-answer.js";
export { UserTurnOp } from "./ops/user-turn.js";
export {
  ListFilesCommand,
  ParsedCommand,
  ReadCommand,
  SearchCommand,
  UnknownCommand,
} from "./parsed-command.js";
export {
  FileSystemPermissions,
  NetworkPermissions,
  PermissionGrantScope,
  PermissionProfile,
  RequestPermissionsResponse,
} from "./permissions.js";
export { PlanItemArg, StepStatus, UpdatePlanArgs } from "./plan.js";
export {
  ApprovalsReviewer,
  AskForApproval,
  DangerFullAccessPolicy,
  ExternalSandboxPolicy,
  ReadOnlyPolicy,
  SandboxPolicy,
  WorkspaceWritePolicy,
  WritableRoot,
} from "./policy.js";
export {
  type AuthMethod,
  assertDepth,
  findEventProblem,
  MAX_DEPTH,
  parseAskForApproval,
  parseAuthMethod,
  parseEvent,
  parseEventMsg,
  parseFileChange,
  parseHistoryEntry,
  parseInputItem,
  parseOp,
  parseResponseInputItem,
  parseResponseItem,
  parseReviewDecision,
  parseRolloutLine,
  parseSandboxPolicy,
  parseShellArguments,
  parseSubmission,
} from "./read/index.js";
export {
  BaseBranchTarget,
  CommitTarget,
  CustomTarget,
  ReviewCodeLocation,
  ReviewFinding,
  ReviewLineRange,
  ReviewOutputEvent,
  ReviewRequest,
  ReviewTarget,
  UncommittedChangesTarget,
} from "./review.js";
export {
  CompactedItem,
  CompactedRolloutLine,
  EventMsgRolloutLine,
  GitInfo,
  type InitialHistory,
  ResponseItemRolloutLine,
  type ResumedHistory,
  type RolloutItem,
  RolloutLine,
  SessionMeta,
  SessionMetaLine,
  SessionMetaRolloutLine,
  TurnContextItem,
  TurnContextRolloutLine,
} from "./rollout.js";
export { SkillErrorInfo, SkillMetadata, SkillScope, SkillsListEntry } from "./skill.js";
export { toDuration, toMilliseconds } from "./to-duration.js";
export {
  addTokenUsage,
  BASELINE_TOKENS,
  blendedTotal,
  emptyTokenUsage,
  nonCachedInput,
  percentOfContextRemaining,
  tokensInContextWindow,
} from "./token-usage.js";
export {
  CreditsSnapshot,
  RateLimitSnapshot,
  RateLimitWindow,
  TokenUsage,
  TokenUsageInfo,
} from "./tokens.js";
export {
  AgentMessageText,
  AgentMessageTurnItem,
  ContextCompactionTurnItem,
  PlanTurnItem,
  ReasoningTurnItem,
  TurnItem,
  UserMessageTurnItem,
  WebSearchTurnItem,
} from "./turn-item.js";
export {
  UserInputAnswer,
  UserInputOption,
  UserInputQuestion,
  UserInputResponse,
} from "./user-input-request.js";
export {
  type DataInputItem,
  type KeyedFileChange,
  type OkOrErr,
  type TypedSandboxPolicy,
  toDataInputItem,
  toKeyedFileChange,
  toModePolicy,
  toOkOrErr,
  toTaggedFileChange,
  toTypePolicy,
  withoutItemId,
} from "./write/index.js";
