import Type, { type Static } from "typebox";
import { described, Nullable } from "../../schema.js";
import { defineMethod } from "../declare.js";
import { nextCursor, PageParams } from "./common.js";
import { ThreadReadState } from "./read-state.js";
import { Thread } from "./thread.js";
import { backwardsCursor, SortDirection } from "./thread-history.js";

export const ThreadSortKey = Type.Enum(
  ["created_at", "updated_at", "recency_at", "section_position"],
  {
    $id: "ThreadSortKey",
    description:
      "By what threads are sorted: when they began, or when they were last added to (the others).",
  },
);
/** By what threads are sorted. */
export type ThreadSortKey = Static<typeof ThreadSortKey>;

export const ThreadSourceKind = Type.Enum(
  [
    "cli",
    "vscode",
    "exec",
    "appServer",
    "subAgent",
    "subAgentReview",
    "subAgentCompact",
    "subAgentThreadSpawn",
    "subAgentOther",
    "unknown",
  ],
  { $id: "ThreadSourceKind", description: "What kind of program began a thread." },
);
/** What kind of program began a thread. */
export type ThreadSourceKind = Static<typeof ThreadSourceKind>;

export const ThreadListParams = Type.Object(
  {
    ...PageParams,
    excludedThreadIds: Type.Optional(
      Type.Array(Type.String(), { maxItems: 100, description: "Threads that are left out." }),
    ),
    sortKey: described(Type.Optional(ThreadSortKey), "`created_at`, if absent."),
    sortDirection: described(Type.Optional(SortDirection), "The newest first, if absent."),
    modelProviders: Type.Optional(
      Type.Array(Type.String(), { description: "Only threads of these; all when empty." }),
    ),
    sourceKinds: Type.Optional(
      Type.Array(ThreadSourceKind, {
        description: "Only threads begun by these; `cli` and `vscode`, if absent or empty.",
      }),
    ),
    originators: Type.Optional(
      Type.Array(Type.String(), { description: "Only threads begun by these programs." }),
    ),
    archived: Type.Optional(
      Type.Boolean({ description: "Those put away, instead of the others." }),
    ),
    sectionId: Type.Optional(
      Type.String({ description: "Only threads of a section; there are none, so it has none." }),
    ),
    cwd: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.String())], {
        description: "Only threads that began there.",
      }),
    ),
    useStateDbOnly: Type.Optional(Type.Boolean({ description: "Passed over." })),
    searchTerm: Type.Optional(
      Type.String({ description: "Only threads with this in their name or preview." }),
    ),
  },
  { $id: "ThreadListParams", description: "Which page of which recorded threads." },
);
export interface ThreadListParams extends Static<typeof ThreadListParams> {}

export const ThreadListResponse = Type.Object(
  {
    data: Type.Array(Thread, { description: "The threads, without their turns." }),
    readStates: Type.Record(Type.String(), ThreadReadState, {
      description: "How far the user has read them, by their ids.",
    }),
    nextCursor,
    backwardsCursor,
  },
  { $id: "ThreadListResponse", description: "A page of the recorded threads." },
);
export interface ThreadListResponse extends Static<typeof ThreadListResponse> {
  data: Thread[];
  readStates: Record<string, ThreadReadState>;
}

export const threadListMethods = [
  defineMethod({
    name: "thread/list",
    summary: "Lists recorded threads that have a user message.",
    scope: "server",
    params: ThreadListParams,
    result: ThreadListResponse,
  }),
];

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
  defineMethod({
    name: "getConversationSummary",
    summary: "Returns a summary of a recorded thread.",
    scope: "server",
    params: GetConversationSummaryParams,
    result: GetConversationSummaryResponse,
  }),
];
