import Type, { type Static } from "typebox";
import { ReasoningEffort } from "../../config-types.js";
import { described, Nullable, since } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { EmptyResponse, nextCursor, PageParams } from "./common.js";
import { ThreadSection } from "./section.js";
import { ThreadStatus } from "./status.js";
import { Turn } from "./turn.js";

const threadId = Type.String({ description: "Thread id (UUID)." });
const never = (description: string) => Type.Null({ description: `Always null: ${description}` });
const seconds = (description: string) =>
  Type.Integer({ description: `${description}, in Unix seconds.` });

export const GitInfo = Type.Object(
  {
    sha: Nullable(Type.String(), { description: "Commit hash." }),
    branch: Nullable(Type.String(), { description: "Branch name." }),
    originUrl: Nullable(Type.String(), { description: "URL of the remote repository." }),
  },
  { $id: "GitInfo", description: "State of the git repository when the thread was started." },
);
export interface GitInfo extends Static<typeof GitInfo> {}

export const ThreadEnvironment = Type.Object(
  {
    environmentId: Type.String({ description: "Always `local`." }),
    cwd: Type.String({ description: "Working directory of commands." }),
    runtimeWorkspaceRoots: Type.Array(Type.String(), { description: "Workspace directories." }),
  },
  { $id: "ThreadEnvironment", description: "Environment of a thread." },
);
export interface ThreadEnvironment extends Static<typeof ThreadEnvironment> {}

export const ThreadHistoryMode = Type.Enum(["legacy", "paginated"], {
  $id: "ThreadHistoryMode",
  description: "Storage of a thread's history; determines if it can be paginated.",
});
/** Storage of a thread's history; determines if it can be paginated. */
export type ThreadHistoryMode = Static<typeof ThreadHistoryMode>;

export const Thread = Type.Object(
  {
    id: Type.String({ description: "Thread id (UUID)." }),
    environments: since(
      "0.166",
      Nullable(Type.Array(ThreadEnvironment), {
        description: "Environments, while it is loaded.",
      }),
    ),
    extra: since("0.166", never("there is no extra data.")),
    sessionId: since("0.166", Type.String({ description: "Same as `id`." })),
    forkedFromId: since(
      "0.166",
      Nullable(Type.String(), { description: "Thread that it was forked from." }),
    ),
    parentThreadId: since(
      "0.166",
      Nullable(Type.String(), { description: "Thread that started it, if it is a helper agent." }),
    ),
    preview: Type.String({ description: "First user message." }),
    ephemeral: since("0.166", Type.Boolean({ description: "True if it is not persisted." })),
    section: since("0.166", Nullable(ThreadSection, { description: "Section, if it is in one." })),
    sectionEnteredAt: since(
      "0.166",
      Nullable(Type.Integer(), { description: "Time it entered the section, in Unix seconds." }),
    ),
    projectId: since("0.166", Nullable(Type.String(), { description: "Project, if any." })),
    historyMode: since("0.166", described(ThreadHistoryMode, "Storage of its history.")),
    modelProvider: Type.String({ description: "Model provider." }),
    model: since("0.166", Nullable(Type.String(), { description: "Model name, if known." })),
    reasoningEffort: since(
      "0.166",
      Nullable(ReasoningEffort, { description: "Reasoning effort." }),
    ),
    createdAt: seconds("Creation time"),
    updatedAt: seconds("Time of the last update"),
    recencyAt: since(
      "0.166",
      Nullable(Type.Integer(), {
        description: "Sort key of lists, in Unix seconds; same as `updatedAt`.",
      }),
    ),
    status: since("0.166", described(ThreadStatus, "Status.")),
    path: Nullable(Type.String(), {
      description: "Path of the rollout file; null if not persisted.",
    }),
    cwd: Type.String({ description: "Working directory." }),
    cliVersion: Type.String({ description: "Version of the program that started it." }),
    originator: since(
      "0.166",
      Nullable(Type.String(), { description: "Program that started it." }),
    ),
    source: Type.Unknown({
      description: "Kind of client that started it: `cli`, `vscode`, `exec`, `appServer`…",
    }),
    canAcceptDirectInput: since(
      "0.166",
      Nullable(Type.Boolean(), {
        description: "True if it accepts input; null in lists.",
      }),
    ),
    threadSource: since(
      "0.166",
      Nullable(Type.String(), { description: "Purpose given by the client." }),
    ),
    agentNickname: since(
      "0.166",
      Nullable(Type.String(), { description: "Nickname, if it is a helper agent." }),
    ),
    agentRole: since(
      "0.166",
      Nullable(Type.String(), { description: "Role, if it is a helper agent with one." }),
    ),
    gitInfo: Nullable(GitInfo, { description: "Git repository, once recorded." }),
    name: since("0.166", Nullable(Type.String(), { description: "Thread name." })),
    daybreakEnabled: since("0.166", never("there is no such feature.")),
    turns: Type.Array(Turn, {
      description: "Turns; empty unless the method includes them.",
    }),
  },
  { $id: "Thread", description: "A thread: a conversation with the agent." },
);
export interface Thread extends Static<typeof Thread> {
  turns: Turn[];
  status: ThreadStatus;
  section: ThreadSection | null;
}

export const ThreadParams = Type.Object(
  { threadId },
  { $id: "ThreadParams", description: "Params with a thread id." },
);
export interface ThreadParams extends Static<typeof ThreadParams> {}

export const ThreadResponse = Type.Object(
  { thread: described(Thread, "The thread.") },
  { $id: "ThreadResponse", description: "Result with a thread." },
);
export interface ThreadResponse extends Static<typeof ThreadResponse> {
  thread: Thread;
}

export const ThreadNotification = Type.Object(
  { threadId },
  { $id: "ThreadNotification", description: "Notification with a thread id." },
);
export interface ThreadNotification extends Static<typeof ThreadNotification> {}

export const ThreadStartedNotification = Type.Object(
  { thread: described(Thread, "Thread id.") },
  { $id: "ThreadStartedNotification", description: "A thread was started or loaded." },
);
export interface ThreadStartedNotification extends Static<typeof ThreadStartedNotification> {
  thread: Thread;
}

export const ThreadSetNameParams = Type.Object(
  { threadId, name: Type.String({ description: "Name; must not be blank." }) },
  { $id: "ThreadSetNameParams", description: "Params of `thread/name/set`." },
);
export interface ThreadSetNameParams extends Static<typeof ThreadSetNameParams> {}

export const ThreadNameUpdatedNotification = Type.Object(
  {
    threadId,
    threadName: Type.Optional(
      Type.String({ description: "New name; absent if the thread has none." }),
    ),
  },
  { $id: "ThreadNameUpdatedNotification", description: "The name of a thread changed." },
);
export interface ThreadNameUpdatedNotification
  extends Static<typeof ThreadNameUpdatedNotification> {}

export const ThreadUnsubscribeResponse = Type.Object(
  {
    status: Type.Enum(["notLoaded", "notSubscribed", "unsubscribed"], {
      description: "Outcome.",
    }),
  },
  { $id: "ThreadUnsubscribeResponse", description: "Result of `thread/unsubscribe`." },
);
export interface ThreadUnsubscribeResponse extends Static<typeof ThreadUnsubscribeResponse> {}

export const ThreadLoadedListParams = Type.Object(PageParams, {
  $id: "ThreadLoadedListParams",
  description: "Params of `thread/loaded/list`.",
});
export interface ThreadLoadedListParams extends Static<typeof ThreadLoadedListParams> {}

export const ThreadLoadedListResponse = Type.Object(
  { data: Type.Array(Type.String(), { description: "Thread ids, oldest first." }), nextCursor },
  { $id: "ThreadLoadedListResponse", description: "Result of `thread/loaded/list`." },
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
    since: "0.166",
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
    since: "0.166",
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
    since: "0.166",
  }),
  defineNotification({
    name: "thread/closed",
    summary: "A thread was unloaded from memory.",
    scope: "server",
    params: ThreadNotification,
    since: "0.166",
  }),
  defineNotification({
    name: "thread/name/updated",
    summary: "The name of a thread changed.",
    scope: "server",
    params: ThreadNameUpdatedNotification,
  }),
];
