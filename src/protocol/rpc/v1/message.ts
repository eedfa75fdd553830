import Type, { type Static } from "typebox";
import { ReasoningEffort, ReasoningSummary } from "../../config-types.js";
import { InputItem } from "../../items/input.js";
import { AskForApproval, SandboxPolicy } from "../../policy.js";
import { described, readFrom } from "../../schema.js";
import { EventMsg } from "../../sqeq/events.generated.js";
import { defineMethod, defineNotification } from "../declare.js";
import { WrappedInputItem } from "./input.js";

const conversationId = Type.String({ description: "Conversation id (UUID)." });

const userInput = { description: "User input." };
const items = readFrom(
  Type.Array(Type.Union([InputItem, WrappedInputItem]), userInput),
  Type.Array(InputItem, userInput),
);

const lastResponseId = Type.Optional(
  Type.String({
    description:
      "`response_id` to continue from, instead of the latest response. Replaces the active turn.",
  }),
);

export const SendUserMessageParams = Type.Object(
  { conversationId, items, lastResponseId },
  { $id: "SendUserMessageParams", description: "Params of `sendUserMessage`." },
);
export interface SendUserMessageParams extends Static<typeof SendUserMessageParams> {}

export const SendUserTurnParams = Type.Object(
  {
    conversationId,
    items,
    cwd: Type.String({ description: "Working directory of commands; absolute." }),
    approvalPolicy: described(AskForApproval, "Approval policy."),
    sandboxPolicy: described(SandboxPolicy, "Sandbox policy."),
    model: Type.String({ description: "Model name." }),
    effort: described(Type.Optional(ReasoningEffort), "Reasoning effort."),
    summary: described(ReasoningSummary, "Detail of the reasoning summary."),
    lastResponseId,
  },
  { $id: "SendUserTurnParams", description: "Params of `sendUserTurn`." },
);
export interface SendUserTurnParams extends Static<typeof SendUserTurnParams> {}

export const InterruptConversationParams = Type.Object(
  { conversationId },
  { $id: "InterruptConversationParams", description: "Params of `interruptConversation`." },
);
export interface InterruptConversationParams extends Static<typeof InterruptConversationParams> {}

export const AddConversationListenerParams = Type.Object(
  { conversationId },
  { $id: "AddConversationListenerParams", description: "Params of `addConversationListener`." },
);
export interface AddConversationListenerParams
  extends Static<typeof AddConversationListenerParams> {}

export const InterruptConversationResponse = Type.Object(
  { abortReason: Type.String({ description: "Reason of the abort, as in `turn_aborted`." }) },
  { $id: "InterruptConversationResponse", description: "Result of `interruptConversation`." },
);
export interface InterruptConversationResponse
  extends Static<typeof InterruptConversationResponse> {}

export const AddConversationSubscriptionResponse = Type.Object(
  { subscriptionId: Type.String({ description: "Subscription id." }) },
  {
    $id: "AddConversationSubscriptionResponse",
    description: "Result of `addConversationListener`.",
  },
);
export interface AddConversationSubscriptionResponse
  extends Static<typeof AddConversationSubscriptionResponse> {}

export const RemoveConversationListenerParams = Type.Object(
  { subscriptionId: Type.String({ description: "Subscription id." }) },
  {
    $id: "RemoveConversationListenerParams",
    description: "Params of `removeConversationListener`.",
  },
);
export interface RemoveConversationListenerParams
  extends Static<typeof RemoveConversationListenerParams> {}

export const SendUserMessageResponse = Type.Object(
  {},
  { $id: "SendUserMessageResponse", description: "Result of `sendUserMessage`." },
);
export interface SendUserMessageResponse extends Static<typeof SendUserMessageResponse> {}

export const SendUserTurnResponse = Type.Object(
  {},
  { $id: "SendUserTurnResponse", description: "Result of `sendUserTurn`." },
);
export interface SendUserTurnResponse extends Static<typeof SendUserTurnResponse> {}

export const RemoveConversationListenerResponse = Type.Object(
  {},
  {
    $id: "RemoveConversationListenerResponse",
    description: "Result of `removeConversationListener`.",
  },
);
export interface RemoveConversationListenerResponse
  extends Static<typeof RemoveConversationListenerResponse> {}

export const CodexEventNotification = Type.Object(
  {
    id: Type.String({ description: "Submission id." }),
    msg: described(EventMsg, "The event."),
    conversationId: Type.Optional(
      Type.String({ description: "Conversation id; absent in events of an MCP tool call." }),
    ),
  },
  { $id: "CodexEventNotification", description: "An event of a conversation." },
);
export interface CodexEventNotification extends Static<typeof CodexEventNotification> {}

export const SessionConfiguredNotification = Type.Object(
  {
    sessionId: Type.String({ description: "Conversation id (UUID)." }),
    model: Type.String({ description: "Model name." }),
    reasoningEffort: described(Type.Optional(ReasoningEffort), "Reasoning effort."),
    historyLogId: Type.Integer({ description: "Id of the message history file." }),
    historyEntryCount: Type.Integer({ description: "Number of entries of the message history." }),
    initialMessages: Type.Optional(
      Type.Array(EventMsg, { description: "Events of the conversation so far." }),
    ),
    rolloutPath: Type.String({ description: "Path of the rollout file." }),
  },
  { $id: "SessionConfiguredNotification", description: "A recorded conversation was resumed." },
);
export interface SessionConfiguredNotification
  extends Static<typeof SessionConfiguredNotification> {}

export const messageMethods = [
  defineMethod({
    name: "sendUserMessage",
    summary:
      "Sends a message with the current settings. If a turn is active, the message is added to it.",
    scope: "thread",
    params: SendUserMessageParams,
    result: SendUserMessageResponse,
  }),
  defineMethod({
    name: "sendUserTurn",
    summary: "Sends a message with settings, which also apply to later turns.",
    scope: "thread",
    params: SendUserTurnParams,
    result: SendUserTurnResponse,
  }),
  defineMethod({
    name: "interruptConversation",
    summary: "Interrupts the active turn. The reply is sent when it has ended.",
    scope: "thread",
    params: InterruptConversationParams,
    result: InterruptConversationResponse,
  }),
  defineMethod({
    name: "addConversationListener",
    summary: "Subscribes to the events of a conversation.",
    scope: "thread",
    params: AddConversationListenerParams,
    result: AddConversationSubscriptionResponse,
  }),
  defineMethod({
    name: "removeConversationListener",
    summary: "Removes a subscription.",
    scope: "connection",
    params: RemoveConversationListenerParams,
    result: RemoveConversationListenerResponse,
  }),
];

export const messageNotifications = [
  defineNotification({
    name: "codex/event/*",
    summary:
      "An event of a conversation that the client subscribed to. The method ends in the event's type.",
    scope: "thread",
    params: CodexEventNotification,
  }),
  defineNotification({
    name: "codex/event",
    summary: "An event of an MCP tool call; in the oldest versions also a resumed conversation.",
    scope: "thread",
    params: CodexEventNotification,
  }),
  defineNotification({
    name: "sessionConfigured",
    summary: "A recorded conversation was resumed.",
    scope: "connection",
    params: SessionConfiguredNotification,
  }),
];
