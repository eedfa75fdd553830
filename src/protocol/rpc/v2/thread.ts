import Type, { type Static } from "typebox";
import { ReasoningEffort } from "../../config-types.js";
import { described, Nullable } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
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
  defineMethod({
    name: "thread/archive",
    summary:
      "Archives a thread. It no longer appears in `thread/list`; restore it with `thread/unarchive`.",
    scope: "thread",
    params: ThreadParams,
    result: EmptyResponse,
  }),
  defineMethod({
    name: "thread/unarchive",
    summary: "Restores an archived thread.",
    scope: "thread",
    params: ThreadParams,
    result: ThreadResponse,
  }),
  defineMethod({
    name: "thread/delete",
    summary: "Deletes a thread permanently. Fails if a turn is active.",
    scope: "thread",
    params: ThreadParams,
    result: EmptyResponse,
  }),
  defineMethod({
    name: "thread/name/set",
    summary: "Sets the name of a thread.",
    scope: "thread",
    params: ThreadSetNameParams,
    result: EmptyResponse,
  }),
  defineMethod({
    name: "thread/unsubscribe",
    summary:
      "Unsubscribes this client from a thread. A thread without subscribers is unloaded later.",
    scope: "thread",
    params: ThreadParams,
    result: ThreadUnsubscribeResponse,
  }),
  defineMethod({
    name: "thread/loaded/list",
    summary: "Lists the threads that are loaded in memory.",
    scope: "server",
    params: ThreadLoadedListParams,
    result: ThreadLoadedListResponse,
  }),
  defineMethod({
    name: "thread/compact/start",
    summary: "Replaces the conversation history with a summary. Interrupts an active turn.",
    scope: "thread",
    params: ThreadParams,
    result: EmptyResponse,
  }),
  defineNotification({
    name: "thread/started",
    summary: "A thread was started or loaded.",
    scope: "server",
    params: ThreadStartedNotification,
  }),
  defineNotification({
    name: "thread/archived",
    summary: "A thread was archived.",
    scope: "server",
    params: ThreadNotification,
  }),
  defineNotification({
    name: "thread/unarchived",
    summary: "A thread was restored from the archive.",
    scope: "server",
    params: ThreadNotification,
  }),
  defineNotification({
    name: "thread/deleted",
    summary: "A thread was deleted.",
    scope: "server",
    params: ThreadNotification,
  }),
  defineNotification({
    name: "thread/closed",
    summary: "A thread was unloaded from memory.",
    scope: "server",
    params: ThreadNotification,
  }),
  defineNotification({
    name: "thread/name/updated",
    summary: "The name of a thread changed.",
    scope: "server",
    params: ThreadNameUpdatedNotification,
  }),
];
