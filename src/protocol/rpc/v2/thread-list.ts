import Type, { type Static } from "typebox";
import { described, experimental, Nullable, since } from "../../schema.js";
import { defineMethod } from "../declare.js";
import { backwardsCursor, nextCursor, PageParams, SortDirection } from "./common.js";
import { ThreadReadState } from "./read-state.js";
import { Thread } from "./thread.js";

export const ThreadSortKey = Type.Enum(
  ["created_at", "updated_at", "recency_at", "section_position"],
  {
    $id: "ThreadSortKey",
    description:
      "Sort key: creation time, time of the last update, or the position in a section (see `sectionId`).",
  },
);
/** Sort key of threads. */
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
  { $id: "ThreadSourceKind", description: "Kind of client that started a thread." },
);
/** Kind of client that started a thread. */
export type ThreadSourceKind = Static<typeof ThreadSourceKind>;

export const ThreadListParams = Type.Object(
  {
    ...PageParams,
    excludedThreadIds: Type.Optional(
      Type.Array(Type.String(), { maxItems: 100, description: "Threads to exclude." }),
    ),
    sortKey: described(Type.Optional(ThreadSortKey), "Sort key. Default: `created_at`."),
    sortDirection: described(Type.Optional(SortDirection), "Sort order. Default: newest first."),
    modelProviders: Type.Optional(
      Type.Array(Type.String(), {
        description: "Limits the list to these providers. Default: all.",
      }),
    ),
    sourceKinds: Type.Optional(
      Type.Array(ThreadSourceKind, {
        description: "Limits the list to these kinds of clients. Default: `cli` and `vscode`.",
      }),
    ),
    originators: Type.Optional(
      Type.Array(Type.String(), { description: "Limits the list to these programs." }),
    ),
    archived: Type.Optional(Type.Boolean({ description: "Lists archived threads instead." })),
    sectionId: Type.Optional(
      Nullable(Type.String(), {
        description: "Limits the list to a section; `null`: to threads without one.",
      }),
    ),
    projectId: experimental(
      "0.166",
      Type.Optional(
        Nullable(Type.String(), {
          description: "Limits the list to a project; `null`: to threads without one.",
        }),
      ),
    ),
    parentThreadId: experimental(
      "0.166",
      Type.Optional(
        Type.String({ description: "Limits the list to the helper agents of this thread." }),
      ),
    ),
    ancestorThreadId: experimental(
      "0.166",
      Type.Optional(
        Type.String({
          description: "Limits the list to the helper agents of this thread, and theirs.",
        }),
      ),
    ),
    attachedToThreadId: experimental(
      "0.166",
      Type.Optional(
        Type.String({ description: "Limits the list to threads attached to this one: none." }),
      ),
    ),
    cwd: Type.Optional(
      Type.Union([Type.String(), Type.Array(Type.String())], {
        description: "Limits the list to threads started in this directory.",
      }),
    ),
    useStateDbOnly: Type.Optional(Type.Boolean({ description: "Ignored." })),
    searchTerm: Type.Optional(
      Type.String({
        description: "Limits the list to threads with this text in their name or preview.",
      }),
    ),
  },
  { $id: "ThreadListParams", description: "Params of `thread/list`." },
);
export interface ThreadListParams extends Static<typeof ThreadListParams> {}

export const ThreadListResponse = Type.Object(
  {
    data: Type.Array(Thread, { description: "Threads without their turns." }),
    readStates: since(
      "0.166",
      Type.Record(Type.String(), ThreadReadState, {
        description: "Read states by thread id.",
      }),
    ),
    nextCursor,
    backwardsCursor: since("0.166", backwardsCursor),
  },
  { $id: "ThreadListResponse", description: "Result of `thread/list`." },
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
    conversationId: Type.Optional(Type.String({ description: "Thread id (UUID)." })),
    rolloutPath: Type.Optional(
      Type.String({ description: "Path of the rollout file, instead of the id." }),
    ),
  },
  {
    $id: "GetConversationSummaryParams",
    description: "Params of `getConversationSummary`: an id or a path.",
  },
);
export interface GetConversationSummaryParams extends Static<typeof GetConversationSummaryParams> {}

export const ConversationGitInfo = Type.Object(
  {
    sha: Nullable(Type.String(), { description: "Commit hash." }),
    branch: Nullable(Type.String(), { description: "Branch name." }),
    origin_url: Nullable(Type.String(), { description: "URL of the remote repository." }),
  },
  { $id: "ConversationGitInfo", description: "Git repository that a thread was started in." },
);
export interface ConversationGitInfo extends Static<typeof ConversationGitInfo> {}

export const ConversationSummary = Type.Object(
  {
    conversationId: Type.String({ description: "Thread id." }),
    path: Type.String({ description: "Path of the rollout file." }),
    preview: Type.String({ description: "First user message." }),
    timestamp: Nullable(Type.String(), { description: "Start time (RFC 3339)." }),
    updatedAt: Nullable(Type.String(), { description: "Time of the last update." }),
    modelProvider: Type.String({ description: "Model provider." }),
    cwd: Type.String({ description: "Working directory." }),
    cliVersion: Type.String({ description: "Version of the program that started it." }),
    source: Type.Unknown({ description: "Kind of client that started it." }),
    gitInfo: Nullable(ConversationGitInfo, {
      description: "Git repository that it was started in.",
    }),
  },
  { $id: "ConversationSummary", description: "Summary of a recorded thread." },
);
export interface ConversationSummary extends Static<typeof ConversationSummary> {}

export const GetConversationSummaryResponse = Type.Object(
  { summary: described(ConversationSummary, "The thread in short.") },
  { $id: "GetConversationSummaryResponse", description: "Result of `getConversationSummary`." },
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
