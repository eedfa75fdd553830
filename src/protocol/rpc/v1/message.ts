import Type, { type Static } from "typebox";
import { ReasoningEffort, ReasoningSummary } from "../../config-types.js";
import { InputItem } from "../../items/input.js";
import { AskForApproval, SandboxPolicy } from "../../policy.js";
import { described, readFrom } from "../../schema.js";
import { EventMsg } from "../../sqeq/events.generated.js";
import { defineMethod, defineNotification } from "../declare.js";

const conversationId = Type.String({ description: "The conversation, by its UUID." });
const textData = Type.Object({ text: Type.String({ description: "What the user wrote." }) });
const imageData = Type.Object({
  image_url: Type.String({ description: "A `data:` or web URL." }),
});
const fileData = Type.Object({
  path: Type.String({ description: "The file, where the engine runs." }),
});

export const WrappedInputItem = Type.Union(
  [
    Type.Object({ type: Type.Literal("text"), data: textData }),
    Type.Object({ type: Type.Literal("image"), data: imageData }),
    Type.Object({ type: Type.Literal("localImage"), data: fileData }),
  ],
  {
    $id: "WrappedInputItem",
    description: "A part of what the user sends, with its fields under `data`.",
  },
);
export type WrappedInputItem = Static<typeof WrappedInputItem>;

const said = { description: "What the user says." };
const items = readFrom(
  Type.Array(Type.Union([InputItem, WrappedInputItem]), said),
  Type.Array(InputItem, said),
);

const lastResponseId = Type.Optional(
  Type.String({
    description:
      "A `response_id` to continue from, instead of the latest response. Replaces the turn that runs.",
  }),
);

export const SendUserMessageParams = Type.Object(
  { conversationId, items, lastResponseId },
  { $id: "SendUserMessageParams", description: "A message under the settings there are." },
);
export interface SendUserMessageParams extends Static<typeof SendUserMessageParams> {}

export const SendUserTurnParams = Type.Object(
  {
    conversationId,
    items,
    cwd: Type.String({ description: "Where commands run; an absolute path." }),
    approvalPolicy: described(AskForApproval, "When the user is asked."),
    sandboxPolicy: described(SandboxPolicy, "What commands may do."),
    model: Type.String({ description: "The model to ask." }),
    effort: described(Type.Optional(ReasoningEffort), "How much it reasons."),
    summary: described(ReasoningSummary, "How much it tells of it."),
    lastResponseId,
  },
  { $id: "SendUserTurnParams", description: "A message with settings, which stay." },
);
export interface SendUserTurnParams extends Static<typeof SendUserTurnParams> {}

export const InterruptConversationParams = Type.Object(
  { conversationId },
  { $id: "InterruptConversationParams", description: "The conversation whose turn is ended." },
);
export interface InterruptConversationParams extends Static<typeof InterruptConversationParams> {}

export const AddConversationListenerParams = Type.Object(
  { conversationId },
  { $id: "AddConversationListenerParams", description: "The conversation to subscribe to." },
);
export interface AddConversationListenerParams
  extends Static<typeof AddConversationListenerParams> {}

export const InterruptConversationResponse = Type.Object(
  { abortReason: Type.String({ description: "Why the turn ended, as in `turn_aborted`." }) },
  { $id: "InterruptConversationResponse", description: "Answers `interruptConversation`." },
);
export interface InterruptConversationResponse
  extends Static<typeof InterruptConversationResponse> {}

export const AddConversationSubscriptionResponse = Type.Object(
  { subscriptionId: Type.String({ description: "Names the subscription, to end it." }) },
  { $id: "AddConversationSubscriptionResponse", description: "Answers `addConversationListener`." },
);
export interface AddConversationSubscriptionResponse
  extends Static<typeof AddConversationSubscriptionResponse> {}

export const RemoveConversationListenerParams = Type.Object(
  { subscriptionId: Type.String({ description: "The subscription that ends." }) },
  { $id: "RemoveConversationListenerParams", description: "Which events are not wanted any more." },
);
export interface RemoveConversationListenerParams
  extends Static<typeof RemoveConversationListenerParams> {}

export const SendUserMessageResponse = Type.Object(
  {},
  { $id: "SendUserMessageResponse", description: "Answers `sendUserMessage`: it is done." },
);
export interface SendUserMessageResponse extends Static<typeof SendUserMessageResponse> {}

export const SendUserTurnResponse = Type.Object(
  {},
  { $id: "SendUserTurnResponse", description: "Answers `sendUserTurn`: it is done." },
);
export interface SendUserTurnResponse extends Static<typeof SendUserTurnResponse> {}

export const RemoveConversationListenerResponse = Type.Object(
  {},
  {
    $id: "RemoveConversationListenerResponse",
    description: "Answers `removeConversationListener`: it is done.",
  },
);
export interface RemoveConversationListenerResponse
  extends Static<typeof RemoveConversationListenerResponse> {}

export const CodexEventNotification = Type.Object(
  {
    id: Type.String({ description: "The submission that the event belongs to." }),
    msg: described(EventMsg, "The event."),
    conversationId: Type.Optional(
      Type.String({ description: "The conversation; absent in the events of an MCP tool call." }),
    ),
  },
  { $id: "CodexEventNotification", description: "An event of a conversation." },
);
export interface CodexEventNotification extends Static<typeof CodexEventNotification> {}

export const SessionConfiguredNotification = Type.Object(
  {
    sessionId: Type.String({ description: "The conversation, by its UUID." }),
    model: Type.String({ description: "The model it asks." }),
    reasoningEffort: described(Type.Optional(ReasoningEffort), "How much the model reasons."),
    historyLogId: Type.Integer({ description: "Names the file of typed messages." }),
    historyEntryCount: Type.Integer({ description: "How many entries that file has." }),
    initialMessages: Type.Optional(
      Type.Array(EventMsg, { description: "The events it has had so far." }),
    ),
    rolloutPath: Type.String({ description: "The file that the conversation is recorded in." }),
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
