import Type, { type Static } from "typebox";
import { described, taggedUnion } from "../schema.js";
import { DynamicToolCallRequestEvent, DynamicToolCallResponseEvent } from "./dynamic-tool.js";
import {
  ExecApprovalRequestEvent,
  ExecCommandBeginEvent,
  ExecCommandEndEvent,
  ExecCommandOutputDeltaEvent,
  TerminalInteractionEvent,
} from "./exec.js";
import { ItemCompletedEvent, ItemStartedEvent, RawResponseItemEvent } from "./item.js";
import { ListCustomPromptsResponseEvent, ListSkillsResponseEvent } from "./listing.js";
import {
  ElicitationRequestEvent,
  McpListToolsResponseEvent,
  McpStartupCompleteEvent,
  McpStartupUpdateEvent,
  McpToolCallBeginEvent,
  McpToolCallEndEvent,
  McpToolCallProgressEvent,
} from "./mcp.js";
import {
  AgentMessageContentDeltaEvent,
  AgentMessageDeltaEvent,
  AgentMessageEvent,
  UserMessageEvent,
} from "./message.js";
import {
  ApplyPatchApprovalRequestEvent,
  PatchApplyBeginEvent,
  PatchApplyEndEvent,
  PatchApplyUpdatedEvent,
} from "./patch.js";
import { PlanDeltaEvent, PlanUpdateEvent } from "./plan.js";
import {
  AgentReasoningDeltaEvent,
  AgentReasoningEvent,
  AgentReasoningRawContentDeltaEvent,
  AgentReasoningRawContentEvent,
  AgentReasoningSectionBreakEvent,
  ReasoningContentDeltaEvent,
  ReasoningRawContentDeltaEvent,
} from "./reasoning.js";
import { RequestPermissionsEvent } from "./request-permissions.js";
import { RequestUserInputEvent } from "./request-user-input.js";
import { EnteredReviewModeEvent, ExitedReviewModeEvent } from "./review.js";
import {
  ConversationPathEvent,
  GetHistoryEntryResponseEvent,
  SessionConfiguredEvent,
} from "./session.js";
import {
  BackgroundEvent,
  ErrorEvent,
  ShutdownCompleteEvent,
  StreamErrorEvent,
  SubmissionAcceptedEvent,
  WarningEvent,
} from "./status.js";
import { ContextCompactedEvent, ThreadNameUpdatedEvent, ThreadRolledBackEvent } from "./thread.js";
import {
  StepCompleteEvent,
  TaskCompleteEvent,
  TaskStartedEvent,
  TokenCountEvent,
  TurnAbortedEvent,
  TurnDiffEvent,
} from "./turn.js";
import { ViewImageToolCallEvent } from "./view-image.js";
import { WebSearchBeginEvent, WebSearchEndEvent } from "./web-search.js";

/** What the engine tells a client. */
export type EventMsg =
  | ErrorEvent
  | WarningEvent
  | StreamErrorEvent
  | BackgroundEvent
  | ShutdownCompleteEvent
  | SubmissionAcceptedEvent
  | TaskStartedEvent
  | TaskCompleteEvent
  | StepCompleteEvent
  | TokenCountEvent
  | TurnAbortedEvent
  | TurnDiffEvent
  | AgentMessageEvent
  | AgentMessageDeltaEvent
  | AgentMessageContentDeltaEvent
  | UserMessageEvent
  | AgentReasoningEvent
  | AgentReasoningDeltaEvent
  | AgentReasoningRawContentEvent
  | AgentReasoningRawContentDeltaEvent
  | AgentReasoningSectionBreakEvent
  | ReasoningContentDeltaEvent
  | ReasoningRawContentDeltaEvent
  | PlanUpdateEvent
  | PlanDeltaEvent
  | SessionConfiguredEvent
  | ConversationPathEvent
  | GetHistoryEntryResponseEvent
  | ListCustomPromptsResponseEvent
  | ListSkillsResponseEvent
  | McpToolCallBeginEvent
  | McpToolCallProgressEvent
  | McpToolCallEndEvent
  | McpListToolsResponseEvent
  | ElicitationRequestEvent
  | McpStartupUpdateEvent
  | McpStartupCompleteEvent
  | RequestUserInputEvent
  | RequestPermissionsEvent
  | DynamicToolCallRequestEvent
  | DynamicToolCallResponseEvent
  | ViewImageToolCallEvent
  | WebSearchBeginEvent
  | WebSearchEndEvent
  | ExecCommandBeginEvent
  | ExecCommandOutputDeltaEvent
  | ExecCommandEndEvent
  | TerminalInteractionEvent
  | ExecApprovalRequestEvent
  | PatchApplyBeginEvent
  | PatchApplyEndEvent
  | PatchApplyUpdatedEvent
  | ApplyPatchApprovalRequestEvent
  | EnteredReviewModeEvent
  | ExitedReviewModeEvent
  | ItemStartedEvent
  | ItemCompletedEvent
  | RawResponseItemEvent
  | ThreadNameUpdatedEvent
  | ContextCompactedEvent
  | ThreadRolledBackEvent;
export const EventMsg = taggedUnion(
  "EventMsg",
  "type",
  [
    ErrorEvent,
    WarningEvent,
    StreamErrorEvent,
    BackgroundEvent,
    ShutdownCompleteEvent,
    SubmissionAcceptedEvent,
    TaskStartedEvent,
    TaskCompleteEvent,
    StepCompleteEvent,
    TokenCountEvent,
    TurnAbortedEvent,
    TurnDiffEvent,
    AgentMessageEvent,
    AgentMessageDeltaEvent,
    AgentMessageContentDeltaEvent,
    UserMessageEvent,
    AgentReasoningEvent,
    AgentReasoningDeltaEvent,
    AgentReasoningRawContentEvent,
    AgentReasoningRawContentDeltaEvent,
    AgentReasoningSectionBreakEvent,
    ReasoningContentDeltaEvent,
    ReasoningRawContentDeltaEvent,
    PlanUpdateEvent,
    PlanDeltaEvent,
    SessionConfiguredEvent,
    ConversationPathEvent,
    GetHistoryEntryResponseEvent,
    ListCustomPromptsResponseEvent,
    ListSkillsResponseEvent,
    McpToolCallBeginEvent,
    McpToolCallProgressEvent,
    McpToolCallEndEvent,
    McpListToolsResponseEvent,
    ElicitationRequestEvent,
    McpStartupUpdateEvent,
    McpStartupCompleteEvent,
    RequestUserInputEvent,
    RequestPermissionsEvent,
    DynamicToolCallRequestEvent,
    DynamicToolCallResponseEvent,
    ViewImageToolCallEvent,
    WebSearchBeginEvent,
    WebSearchEndEvent,
    ExecCommandBeginEvent,
    ExecCommandOutputDeltaEvent,
    ExecCommandEndEvent,
    TerminalInteractionEvent,
    ExecApprovalRequestEvent,
    PatchApplyBeginEvent,
    PatchApplyEndEvent,
    PatchApplyUpdatedEvent,
    ApplyPatchApprovalRequestEvent,
    EnteredReviewModeEvent,
    ExitedReviewModeEvent,
    ItemStartedEvent,
    ItemCompletedEvent,
    RawResponseItemEvent,
    ThreadNameUpdatedEvent,
    ContextCompactedEvent,
    ThreadRolledBackEvent,
  ],
  "What the engine tells a client. More kinds may come; a client passes over what it does not know.",
);

export const Event = Type.Object(
  {
    id: Type.String({
      description: "The submission it follows from; empty for what nobody asked for.",
    }),
    msg: described(EventMsg, "What happened."),
    thread_id: Type.Optional(Type.String({ description: "The thread it belongs to." })),
    turn_id: Type.Optional(Type.String({ description: "The turn it belongs to." })),
    item_id: Type.Optional(Type.String({ description: "The item of the turn it is about." })),
    part: Type.Optional(Type.Integer({ description: "Which part of the item, counted from 0." })),
    seq: Type.Optional(Type.Integer({ description: "Its place in the order of all events." })),
  },
  { $id: "Event", description: "A message from the engine to the client." },
);
export interface Event extends Static<typeof Event> {
  msg: EventMsg;
}
