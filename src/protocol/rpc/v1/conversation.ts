import Type, { type Static } from "typebox";
import { ReasoningEffort, SandboxMode } from "../../config-types.js";
import { AskForApproval } from "../../policy.js";
import { described, Nullish } from "../../schema.js";
import { EventMsg } from "../../sqeq/events.generated.js";
import { defineMethod } from "../declare.js";

const conversationId = Type.String({ description: "Conversation id (UUID)." });
const rolloutPath = Type.String({ description: "Path of the rollout file." });

export const NewConversationParams = Type.Object(
  {
    model: Type.Optional(Type.String({ description: "Model name." })),
    profile: Type.Optional(Type.String({ description: "Config profile." })),
    cwd: Type.Optional(Type.String({ description: "Working directory of commands." })),
    approvalPolicy: described(Type.Optional(AskForApproval), "Approval policy."),
    sandbox: described(Type.Optional(SandboxMode), "Sandbox mode."),
    config: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "Additional settings by dotted key, as with `-c`.",
      }),
    ),
    baseInstructions: Type.Optional(
      Type.String({ description: "Replaces the default base instructions." }),
    ),
    includePlanTool: Type.Optional(Type.Boolean({ description: "Enables the plan tool." })),
    includeApplyPatchTool: Type.Optional(Type.Boolean({ description: "Enables the patch tool." })),
  },
  {
    $id: "NewConversationParams",
    description: "Settings of a new conversation; omitted settings come from the config.",
  },
);
export interface NewConversationParams extends Static<typeof NewConversationParams> {}

export const NewConversationResponse = Type.Object(
  {
    conversationId,
    model: Type.String({ description: "Model name." }),
    reasoningEffort: Nullish(ReasoningEffort, { description: "Reasoning effort." }),
    rolloutPath,
  },
  { $id: "NewConversationResponse", description: "Result of `newConversation`." },
);
export interface NewConversationResponse extends Static<typeof NewConversationResponse> {}

export const ListConversationsParams = Type.Object(
  {
    pageSize: Type.Optional(
      Type.Integer({ minimum: 0, description: "Maximum number of entries. Default: 25." }),
    ),
    cursor: Type.Optional(Type.String({ description: "Cursor of the previous page." })),
  },
  { $id: "ListConversationsParams", description: "Params of `listConversations`." },
);
export interface ListConversationsParams extends Static<typeof ListConversationsParams> {}

export const ConversationSummary = Type.Object(
  {
    conversationId,
    path: rolloutPath,
    preview: Type.String({ description: "First user message." }),
    timestamp: Type.Optional(Type.String({ description: "Start time (RFC 3339)." })),
  },
  { $id: "ConversationSummary", description: "A recorded conversation." },
);
export interface ConversationSummary extends Static<typeof ConversationSummary> {}

export const ListConversationsResponse = Type.Object(
  {
    items: Type.Array(ConversationSummary, { description: "Conversations, newest first." }),
    nextCursor: Type.Optional(Type.String({ description: "Cursor of the next page." })),
  },
  { $id: "ListConversationsResponse", description: "Result of `listConversations`." },
);
export interface ListConversationsResponse extends Static<typeof ListConversationsResponse> {}

export const ResumeConversationParams = Type.Object(
  {
    path: rolloutPath,
    overrides: described(
      Type.Optional(NewConversationParams),
      "Settings that override those of the rollout.",
    ),
  },
  { $id: "ResumeConversationParams", description: "Params of `resumeConversation`." },
);
export interface ResumeConversationParams extends Static<typeof ResumeConversationParams> {}

export const ResumeConversationResponse = Type.Object(
  {
    conversationId,
    model: Type.String({ description: "Model name." }),
    initialMessages: Type.Optional(
      Type.Array(EventMsg, { description: "Events of the conversation so far." }),
    ),
  },
  { $id: "ResumeConversationResponse", description: "Result of `resumeConversation`." },
);
export interface ResumeConversationResponse extends Static<typeof ResumeConversationResponse> {}

export const ArchiveConversationParams = Type.Object(
  { conversationId, rolloutPath },
  { $id: "ArchiveConversationParams", description: "Params of `archiveConversation`." },
);
export interface ArchiveConversationParams extends Static<typeof ArchiveConversationParams> {}

export const ArchiveConversationResponse = Type.Object(
  {},
  { $id: "ArchiveConversationResponse", description: "Result of `archiveConversation`." },
);
export interface ArchiveConversationResponse extends Static<typeof ArchiveConversationResponse> {}

export const conversationMethods = [
  defineMethod({
    name: "newConversation",
    summary: "Starts a conversation.",
    scope: "connection",
    params: NewConversationParams,
    result: NewConversationResponse,
  }),
  defineMethod({
    name: "listConversations",
    summary: "Lists recorded conversations, newest first.",
    scope: "server",
    params: ListConversationsParams,
    result: ListConversationsResponse,
  }),
  defineMethod({
    name: "resumeConversation",
    summary: "Resumes a recorded conversation.",
    scope: "connection",
    params: ResumeConversationParams,
    result: ResumeConversationResponse,
  }),
  defineMethod({
    name: "archiveConversation",
    summary: "Ends a conversation and archives it.",
    scope: "thread",
    params: ArchiveConversationParams,
    result: ArchiveConversationResponse,
  }),
];
