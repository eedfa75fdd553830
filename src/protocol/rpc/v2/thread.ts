import Type, { type Static } from "typebox";
import { ReasoningEffort } from "../../config-types.js";
import { described, Nullable } from "../../schema.js";
import { declareMethod, declareNotification } from "../declare.js";
import { EmptyResponse, nextCursor, PageParams } from "./common.js";
import { ThreadStatus } from "./status.js";
import { Turn } from "./turn.js";

const threadId = Type.String({ description: "The thread, by its UUID." });
const never = (description: string) => Type.Null({ description: `Always null: ${description}` });
const seconds = (description: string) =>
  Type.Integer({ description: `${description}, in Unix seconds.` });

export const GitInfo = Type.Object(
  {
    sha: Nullable(Type.String(), { description: "The commit." }),
    branch: Nullable(Type.String(), { description: "The branch." }),
    originUrl: Nullable(Type.String(), { description: "Where it was cloned from." }),
  },
  { $id: "GitInfo", description: "The state of a repository when a thread began in it." },
);
export interface GitInfo extends Static<typeof GitInfo> {}

export const ThreadEnvironment = Type.Object(
  {
    environmentId: Type.String({ description: "Always `local`: there is one place." }),
    cwd: Type.String({ description: "Where commands run." }),
    runtimeWorkspaceRoots: Type.Array(Type.String(), { description: "The workspace." }),
  },
  { $id: "ThreadEnvironment", description: "Where a thread works." },
);
export interface ThreadEnvironment extends Static<typeof ThreadEnvironment> {}

export const ThreadHistoryMode = Type.Enum(["legacy", "paginated"], {
  $id: "ThreadHistoryMode",
  description: "Whether the history of a thread can be read in pages.",
});
/** Whether the history of a thread can be read in pages. */
export type ThreadHistoryMode = Static<typeof ThreadHistoryMode>;

export const Thread = Type.Object(
  {
    id: Type.String({ description: "Names the thread; a UUID." }),
    environments: Nullable(Type.Array(ThreadEnvironment), {
      description: "Where it works, while it is loaded.",
    }),
    extra: never("nothing is added to threads."),
    sessionId: Type.String({ description: "The same as `id`." }),
    forkedFromId: Nullable(Type.String(), { description: "The thread it began as a copy of." }),
    parentThreadId: never("threads do not start others."),
    preview: Type.String({ description: "What the user said first." }),
    ephemeral: Type.Boolean({ description: "Nothing is kept of it." }),
    section: never("there are no sections."),
    sectionEnteredAt: never("there are no sections."),
    projectId: never("there are no projects."),
    historyMode: described(ThreadHistoryMode, "How its history is read."),
    modelProvider: Type.String({ description: "Where its model is reached." }),
    model: Nullable(Type.String(), { description: "The model it asks, when that is known." }),
    reasoningEffort: Nullable(ReasoningEffort, { description: "How much the model reasons." }),
    createdAt: seconds("When it began"),
    updatedAt: seconds("When it was last added to"),
    recencyAt: Nullable(Type.Integer(), {
      description: "By what lists sort it, in Unix seconds; the same as `updatedAt`.",
    }),
    status: described(ThreadStatus, "What it does just now."),
    path: Nullable(Type.String(), { description: "The file it is kept in; null if in none." }),
    cwd: Type.String({ description: "Where it works." }),
    cliVersion: Type.String({ description: "The version that began it." }),
    originator: Nullable(Type.String(), { description: "The program that began it." }),
    source: Type.Unknown({
      description: "What kind of program began it: `cli`, `vscode`, `exec`, `appServer`…",
    }),
    canAcceptDirectInput: Nullable(Type.Boolean(), {
      description: "Whether it takes input; null in lists.",
    }),
    threadSource: Nullable(Type.String(), { description: "What its client began it for." }),
    agentNickname: never("threads do not start others."),
    agentRole: never("threads do not start others."),
    gitInfo: Nullable(GitInfo, { description: "The repository it began in, once it is recorded." }),
    name: Nullable(Type.String(), { description: "The name the user gave it." }),
    daybreakEnabled: never("there is no such feature."),
    turns: Type.Array(Turn, {
      description: "What happened in it, in answers that say so; else empty.",
    }),
  },
  { $id: "Thread", description: "A conversation." },
);
export interface Thread extends Static<typeof Thread> {
  turns: Turn[];
  status: ThreadStatus;
}

export const ThreadParams = Type.Object(
  { threadId },
  { $id: "ThreadParams", description: "Names a thread." },
);
export interface ThreadParams extends Static<typeof ThreadParams> {}

export const ThreadResponse = Type.Object(
  { thread: described(Thread, "The thread as it is now.") },
  { $id: "ThreadResponse", description: "A thread." },
);
export interface ThreadResponse extends Static<typeof ThreadResponse> {
  thread: Thread;
}

export const ThreadNotification = Type.Object(
  { threadId },
  { $id: "ThreadNotification", description: "Names the thread that something happened to." },
);
export interface ThreadNotification extends Static<typeof ThreadNotification> {}

export const ThreadStartedNotification = Type.Object(
  { thread: described(Thread, "The thread.") },
  { $id: "ThreadStartedNotification", description: "A thread has begun." },
);
export interface ThreadStartedNotification extends Static<typeof ThreadStartedNotification> {
  thread: Thread;
}

export const ThreadSetNameParams = Type.Object(
  { threadId, name: Type.String({ description: "The name; it must not be blank." }) },
  { $id: "ThreadSetNameParams", description: "How a thread is to be called." },
);
export interface ThreadSetNameParams extends Static<typeof ThreadSetNameParams> {}

export const ThreadNameUpdatedNotification = Type.Object(
  {
    threadId,
    threadName: Type.Optional(Type.String({ description: "The name; absent if it has none." })),
  },
  { $id: "ThreadNameUpdatedNotification", description: "A thread is called something else now." },
);
export interface ThreadNameUpdatedNotification
  extends Static<typeof ThreadNameUpdatedNotification> {}

export const ThreadUnsubscribeResponse = Type.Object(
  {
    status: Type.Enum(["notLoaded", "notSubscribed", "unsubscribed"], {
      description: "Whether there was something to end.",
    }),
  },
  { $id: "ThreadUnsubscribeResponse", description: "Answers `thread/unsubscribe`." },
);
export interface ThreadUnsubscribeResponse extends Static<typeof ThreadUnsubscribeResponse> {}

export const ThreadLoadedListParams = Type.Object(PageParams, {
  $id: "ThreadLoadedListParams",
  description: "Which page of the threads that are in memory.",
});
export interface ThreadLoadedListParams extends Static<typeof ThreadLoadedListParams> {}

export const ThreadLoadedListResponse = Type.Object(
  { data: Type.Array(Type.String(), { description: "Their ids, the oldest first." }), nextCursor },
  { $id: "ThreadLoadedListResponse", description: "Answers `thread/loaded/list`." },
);
export interface ThreadLoadedListResponse extends Static<typeof ThreadLoadedListResponse> {}

export const threadMethods = [
  declareMethod(
    "thread/archive",
    "Puts a thread away: it leaves the list, and can be brought back.",
    ThreadParams,
    EmptyResponse,
  ),
  declareMethod("thread/unarchive", "Brings a thread back.", ThreadParams, ThreadResponse),
  declareMethod("thread/delete", "Removes a thread for good.", ThreadParams, EmptyResponse),
  declareMethod("thread/name/set", "Gives a thread a name.", ThreadSetNameParams, EmptyResponse),
  declareMethod(
    "thread/unsubscribe",
    "Ends what this client is told of a thread; without anyone listening it leaves the memory.",
    ThreadParams,
    ThreadUnsubscribeResponse,
  ),
  declareMethod(
    "thread/loaded/list",
    "Lists the threads that are in memory.",
    ThreadLoadedListParams,
    ThreadLoadedListResponse,
  ),
  declareMethod(
    "thread/compact/start",
    "Puts a summary in the place of the conversation.",
    ThreadParams,
    EmptyResponse,
  ),
  declareNotification("thread/started", "A thread has begun.", ThreadStartedNotification),
  declareNotification("thread/archived", "A thread was put away.", ThreadNotification),
  declareNotification("thread/unarchived", "A thread was brought back.", ThreadNotification),
  declareNotification("thread/deleted", "A thread was removed for good.", ThreadNotification),
  declareNotification("thread/closed", "A thread has left the memory.", ThreadNotification),
  declareNotification(
    "thread/name/updated",
    "A thread is called something else now.",
    ThreadNameUpdatedNotification,
  ),
];
