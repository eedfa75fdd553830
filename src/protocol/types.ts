// Types only: importing this file loads nothing at run time.
export type { ExecPolicyAmendmentDecision, ReviewDecision } from "./approval.js";
export type {
  CollaborationMode,
  CollaborationModeKind,
  CollaborationSettings,
  Personality,
  ReasoningEffort,
  ReasoningSummary,
  SandboxMode,
  Verbosity,
} from "./config-types.js";
export type { CustomPrompt } from "./custom-prompt.js";
export type { Duration } from "./duration.js";
export type {
  DynamicTool,
  DynamicToolContent,
  DynamicToolImage,
  DynamicToolResponse,
  DynamicToolText,
} from "./dynamic-tool.js";
export type { CodexErrorOptions, ErrorCode } from "./error.js";
export type {
  DynamicToolCallRequestEvent,
  DynamicToolCallResponseEvent,
} from "./events/dynamic-tool.js";
export type {
  ExecApprovalRequestEvent,
  ExecCommandBeginEvent,
  ExecCommandEndEvent,
  ExecCommandOutputDeltaEvent,
  ExecCommandSource,
  ExecCommandStatus,
  ExecOutputStream,
  TerminalInteractionEvent,
} from "./events/exec.js";
export type { Event, EventMsg } from "./events/index.js";
export type { ItemCompletedEvent, ItemStartedEvent, RawResponseItemEvent } from "./events/item.js";
export type { ListCustomPromptsResponseEvent, ListSkillsResponseEvent } from "./events/listing.js";
export type {
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
export type {
  AgentMessageContentDeltaEvent,
  AgentMessageDeltaEvent,
  AgentMessageEvent,
  UserMessageEvent,
  UserMessageKind,
} from "./events/message.js";
export type {
  ApplyPatchApprovalRequestEvent,
  PatchApplyBeginEvent,
  PatchApplyEndEvent,
  PatchApplyStatus,
} from "./events/patch.js";
export type { PlanDeltaEvent, PlanUpdateEvent } from "./events/plan.js";
export type {
  AgentReasoningDeltaEvent,
  AgentReasoningEvent,
  AgentReasoningRawContentDeltaEvent,
  AgentReasoningRawContentEvent,
  AgentReasoningSectionBreakEvent,
  ReasoningContentDeltaEvent,
  ReasoningRawContentDeltaEvent,
} from "./events/reasoning.js";
export type { RequestUserInputEvent } from "./events/request-user-input.js";
export type { EnteredReviewModeEvent, ExitedReviewModeEvent } from "./events/review.js";
export type {
  ConversationPathEvent,
  GetHistoryEntryResponseEvent,
  SessionConfiguredEvent,
} from "./events/session.js";
export type {
  BackgroundEvent,
  ErrorEvent,
  ShutdownCompleteEvent,
  StreamErrorEvent,
  SubmissionAcceptedEvent,
  WarningEvent,
} from "./events/status.js";
export type {
  ContextCompactedEvent,
  ThreadNameUpdatedEvent,
  ThreadRolledBackEvent,
} from "./events/thread.js";
export type {
  TaskCompleteEvent,
  TaskStartedEvent,
  TokenCountEvent,
  TurnAbortedEvent,
  TurnAbortReason,
  TurnDiffEvent,
} from "./events/turn.js";
export type { ViewImageToolCallEvent } from "./events/view-image.js";
export type { WebSearchBeginEvent, WebSearchEndEvent } from "./events/web-search.js";
export type {
  AddFileChange,
  DeleteFileChange,
  FileChange,
  UpdateFileChange,
} from "./file-change.js";
export type { HistoryEntry } from "./history.js";
export type {
  ContentItem,
  FunctionCallOutput,
  InputImageContent,
  InputTextContent,
  OutputTextContent,
  ToolOutputContent,
} from "./items/content.js";
export type {
  ByteRange,
  ImageInput,
  InputItem,
  LocalImageInput,
  MentionInput,
  SkillInput,
  TextElement,
  TextInput,
} from "./items/input.js";
export type {
  LocalShellAction,
  LocalShellCallItem,
  LocalShellStatus,
} from "./items/local-shell.js";
export type {
  PlainReasoningText,
  ReasoningContent,
  ReasoningItem,
  ReasoningText,
  SummaryText,
} from "./items/reasoning.js";
export type {
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
export type {
  McpToolCallOutputInput,
  MessageInput,
  ResponseInputItem,
} from "./items/response-input.js";
export type { ShellToolCallParams } from "./items/shell-arguments.js";
export type {
  CustomToolSpec,
  FunctionToolSpec,
  GrammarFormat,
  LocalShellToolSpec,
  NamespaceToolSpec,
  ToolSpec,
  WebSearchToolSpec,
} from "./items/tool-spec.js";
export type {
  FindInPageAction,
  OpenPageAction,
  OtherWebAction,
  SearchAction,
  WebSearchAction,
  WebSearchCallItem,
} from "./items/web-search.js";
export type { CallToolResult, McpContentBlock, McpInvocation, McpTool } from "./mcp.js";
export type { AddToHistoryOp } from "./ops/add-to-history.js";
export type { CompactOp } from "./ops/compact.js";
export type { ConfigureSessionOp } from "./ops/configure-session.js";
export type { DynamicToolResponseOp } from "./ops/dynamic-tool-response.js";
export type { ExecApprovalOp } from "./ops/exec-approval.js";
export type { GetHistoryEntryRequestOp } from "./ops/get-history-entry-request.js";
export type { GetPathOp } from "./ops/get-path.js";
export type { Op, Submission } from "./ops/index.js";
export type { InjectItemsOp } from "./ops/inject-items.js";
export type { InterruptOp } from "./ops/interrupt.js";
export type { ListCustomPromptsOp } from "./ops/list-custom-prompts.js";
export type { ListMcpToolsOp } from "./ops/list-mcp-tools.js";
export type { ListSkillsOp } from "./ops/list-skills.js";
export type { OverrideTurnContextOp } from "./ops/override-turn-context.js";
export type { PatchApprovalOp } from "./ops/patch-approval.js";
export type { ElicitationAction, ResolveElicitationOp } from "./ops/resolve-elicitation.js";
export type { ReviewOp } from "./ops/review.js";
export type { RunUserShellCommandOp } from "./ops/run-user-shell-command.js";
export type { SetThreadNameOp } from "./ops/set-thread-name.js";
export type { ShutdownOp } from "./ops/shutdown.js";
export type { SteerInputOp } from "./ops/steer-input.js";
export type { ThreadRollbackOp } from "./ops/thread-rollback.js";
export type { UserInputOp } from "./ops/user-input.js";
export type { UserInputAnswerOp } from "./ops/user-input-answer.js";
export type { UserTurnOp } from "./ops/user-turn.js";
export type {
  ListFilesCommand,
  ParsedCommand,
  ReadCommand,
  SearchCommand,
  UnknownCommand,
} from "./parsed-command.js";
export type { PlanItemArg, StepStatus, UpdatePlanArgs } from "./plan.js";
export type {
  AskForApproval,
  DangerFullAccessPolicy,
  ExternalSandboxPolicy,
  ReadOnlyPolicy,
  SandboxPolicy,
  WorkspaceWritePolicy,
  WritableRoot,
} from "./policy.js";
export type {
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
export type {
  CompactedItem,
  CompactedRolloutLine,
  EventMsgRolloutLine,
  GitInfo,
  InitialHistory,
  ResponseItemRolloutLine,
  ResumedHistory,
  RolloutItem,
  RolloutLine,
  SessionMeta,
  SessionMetaLine,
  SessionMetaRolloutLine,
  TurnContextItem,
  TurnContextRolloutLine,
} from "./rollout.js";
export type { SkillErrorInfo, SkillMetadata, SkillScope, SkillsListEntry } from "./skill.js";
export type {
  CreditsSnapshot,
  RateLimitSnapshot,
  RateLimitWindow,
  TokenUsage,
  TokenUsageInfo,
} from "./tokens.js";
export type {
  AgentMessageText,
  AgentMessageTurnItem,
  ContextCompactionTurnItem,
  PlanTurnItem,
  ReasoningTurnItem,
  TurnItem,
  UserMessageTurnItem,
  WebSearchTurnItem,
} from "./turn-item.js";
export type {
  UserInputAnswer,
  UserInputOption,
  UserInputQuestion,
  UserInputResponse,
} from "./user-input-request.js";
