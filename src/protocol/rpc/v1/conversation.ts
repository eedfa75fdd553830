import Type, { type Static } from "typebox";
import { ReasoningEffort, SandboxMode } from "../../config-types.js";
import { AskForApproval } from "../../policy.js";
import { described, Nullish } from "../../schema.js";
import { EventMsg } from "../../sqeq/events.generated.js";
import { defineMethod } from "../declare.js";

const conversationId = Type.String({ description: "The conversation, by its UUID." });
const rolloutPath = Type.String({ description: "The file that the conversation is kept in." });

export const NewConversationParams = Type.Object(
  {
    model: Type.Optional(Type.String({ description: "The model to ask." })),
    profile: Type.Optional(Type.String({ description: "The profile of the config to use." })),
    cwd: Type.Optional(Type.String({ description: "Where commands run." })),
    approvalPolicy: described(Type.Optional(AskForApproval), "When the user is asked."),
    sandbox: described(Type.Optional(SandboxMode), "What commands may do, in a word."),
    config: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "More settings by their dotted name, as with `-c`.",
      }),
    ),
    baseInstructions: Type.Optional(
      Type.String({ description: "Replaces the instructions the model is given by default." }),
    ),
    includePlanTool: Type.Optional(
      Type.Boolean({ description: "Whether the model gets the plan tool." }),
    ),
    includeApplyPatchTool: Type.Optional(
      Type.Boolean({ description: "Whether the model gets the patch tool." }),
    ),
  },
  {
    $id: "NewConversationParams",
    description: "What a conversation starts with; what is absent comes from the config.",
  },
);
export interface NewConversationParams extends Static<typeof NewConversationParams> {}

export const NewConversationResponse = Type.Object(
  {
    conversationId,
    model: Type.String({ description: "The model it asks." }),
    reasoningEffort: Nullish(ReasoningEffort, { description: "How much the model reasons." }),
    rolloutPath,
  },
  { $id: "NewConversationResponse", description: "Answers `newConversation`." },
);
export interface NewConversationResponse extends Static<typeof NewConversationResponse> {}

export const ListConversationsParams = Type.Object(
  {
    pageSize: Type.Optional(
      Type.Integer({ minimum: 0, description: "How many at most; 25 when absent." }),
    ),
    cursor: Type.Optional(Type.String({ description: "Where the last page ended." })),
  },
  { $id: "ListConversationsParams", description: "Which page of the recorded conversations." },
);
export interface ListConversationsParams extends Static<typeof ListConversationsParams> {}

export const ConversationSummary = Type.Object(
  {
    conversationId,
    path: rolloutPath,
    preview: Type.String({ description: "What the user said first." }),
    timestamp: Type.Optional(Type.String({ description: "When it began, as RFC 3339." })),
  },
  { $id: "ConversationSummary", description: "A recorded conversation in a list." },
);
export interface ConversationSummary extends Static<typeof ConversationSummary> {}

export const ListConversationsResponse = Type.Object(
  {
    items: Type.Array(ConversationSummary, { description: "Newest first." }),
    nextCursor: Type.Optional(Type.String({ description: "Where the next page begins." })),
  },
  { $id: "ListConversationsResponse", description: "Answers `listConversations`." },
);
export interface ListConversationsResponse extends Static<typeof ListConversationsResponse> {}

export const ResumeConversationParams = Type.Object(
  {
    path: rolloutPath,
    overrides: described(Type.Optional(NewConversationParams), "Settings to go on with."),
  },
  { $id: "ResumeConversationParams", description: "Which conversation goes on." },
);
export interface ResumeConversationParams extends Static<typeof ResumeConversationParams> {}

export const ResumeConversationResponse = Type.Object(
  {
    conversationId,
    model: Type.String({ description: "The model it asks." }),
    initialMessages: Type.Optional(
      Type.Array(EventMsg, { description: "The events it has had so far." }),
    ),
  },
  { $id: "ResumeConversationResponse", description: "Answers `resumeConversation`." },
);
export interface ResumeConversationResponse extends Static<typeof ResumeConversationResponse> {}

export const ArchiveConversationParams = Type.Object(
  { conversationId, rolloutPath },
  { $id: "ArchiveConversationParams", description: "Which conversation is put away." },
);
export interface ArchiveConversationParams extends Static<typeof ArchiveConversationParams> {}

export const ArchiveConversationResponse = Type.Object(
  {},
  { $id: "ArchiveConversationResponse", description: "Answers `archiveConversation`: it is done." },
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
