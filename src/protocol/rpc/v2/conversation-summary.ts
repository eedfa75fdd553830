import Type, { type Static } from "typebox";
import { described, Nullable } from "../../schema.js";
import { declareMethod } from "../declare.js";

export const GetConversationSummaryParams = Type.Object(
  {
    conversationId: Type.Optional(Type.String({ description: "The thread, by its UUID." })),
    rolloutPath: Type.Optional(Type.String({ description: "Its file, instead of the id." })),
  },
  { $id: "GetConversationSummaryParams", description: "Which thread is shown; one way or other." },
);
export interface GetConversationSummaryParams extends Static<typeof GetConversationSummaryParams> {}

export const ConversationGitInfo = Type.Object(
  {
    sha: Nullable(Type.String(), { description: "The commit." }),
    branch: Nullable(Type.String(), { description: "The branch." }),
    origin_url: Nullable(Type.String(), { description: "Where it was cloned from." }),
  },
  { $id: "ConversationGitInfo", description: "The repository that a thread began in." },
);
export interface ConversationGitInfo extends Static<typeof ConversationGitInfo> {}

export const ConversationSummary = Type.Object(
  {
    conversationId: Type.String({ description: "The thread." }),
    path: Type.String({ description: "The file it is kept in." }),
    preview: Type.String({ description: "What the user said first." }),
    timestamp: Nullable(Type.String(), { description: "When it began, as RFC 3339." }),
    updatedAt: Nullable(Type.String(), { description: "When it was last added to." }),
    modelProvider: Type.String({ description: "Where its model is reached." }),
    cwd: Type.String({ description: "Where it works." }),
    cliVersion: Type.String({ description: "The version that began it." }),
    source: Type.Unknown({ description: "What kind of program began it." }),
    gitInfo: Nullable(ConversationGitInfo, { description: "The repository it began in." }),
  },
  { $id: "ConversationSummary", description: "A recorded thread in short." },
);
export interface ConversationSummary extends Static<typeof ConversationSummary> {}

export const GetConversationSummaryResponse = Type.Object(
  { summary: described(ConversationSummary, "The thread in short.") },
  { $id: "GetConversationSummaryResponse", description: "Answers `getConversationSummary`." },
);
export interface GetConversationSummaryResponse
  extends Static<typeof GetConversationSummaryResponse> {}

export const conversationSummaryMethods = [
  declareMethod(
    "getConversationSummary",
    "Shows a recorded thread in short.",
    GetConversationSummaryParams,
    GetConversationSummaryResponse,
  ),
];
