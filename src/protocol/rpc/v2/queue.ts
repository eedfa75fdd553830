import Type, { type Static } from "typebox";
import { allSince, described, Nullable } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { ThreadNotification } from "./thread.js";
import { TurnStartResponse } from "./turn.js";
import { UserInput } from "./user-input.js";

const threadId = Type.String({ description: "Thread id (UUID)." });
const queuedSubmissionId = Type.String({ description: "Id of the queued input." });
const input = Type.Array(UserInput, { description: "User input." });

export const QueuedSubmission = Type.Object(
  allSince("0.166", {
    id: Type.String({ description: "Id of the queued input." }),
    input,
    clientUserMessageId: Type.String({ description: "Id that the client gave the message." }),
  }),
  { $id: "QueuedSubmission", description: "User input that starts a turn after the running one." },
);
export interface QueuedSubmission extends Static<typeof QueuedSubmission> {
  input: UserInput[];
}

export const ThreadQueueAddParams = Type.Object(
  {
    threadId,
    input,
    clientUserMessageId: Type.String({ description: "The client's own id of the message." }),
  },
  { $id: "ThreadQueueAddParams", description: "Params of `thread/queue/add`." },
);
export interface ThreadQueueAddParams extends Static<typeof ThreadQueueAddParams> {
  input: UserInput[];
}

export const ThreadQueueAddResponse = Type.Object(
  allSince("0.166", { queuedSubmission: described(QueuedSubmission, "The queued input.") }),
  { $id: "ThreadQueueAddResponse", description: "Result of `thread/queue/add` and `update`." },
);
export interface ThreadQueueAddResponse extends Static<typeof ThreadQueueAddResponse> {
  queuedSubmission: QueuedSubmission;
}

export const ThreadQueueListParams = Type.Object(
  {
    threadId,
    cursor: Type.Optional(Type.String({ description: "`nextCursor` of the previous page." })),
    limit: Type.Optional(Type.Integer({ minimum: 0, description: "Entries per page." })),
  },
  { $id: "ThreadQueueListParams", description: "Params of `thread/queue/list`." },
);
export interface ThreadQueueListParams extends Static<typeof ThreadQueueListParams> {}

export const ThreadQueueListResponse = Type.Object(
  allSince("0.166", {
    data: Type.Array(QueuedSubmission, { description: "Queued input, in order." }),
    nextCursor: Nullable(Type.String(), { description: "Cursor of the next page, if any." }),
  }),
  { $id: "ThreadQueueListResponse", description: "Result of `thread/queue/list`." },
);
export interface ThreadQueueListResponse extends Static<typeof ThreadQueueListResponse> {
  data: QueuedSubmission[];
}

export const ThreadQueueUpdateParams = Type.Object(
  { threadId, queuedSubmissionId, input },
  { $id: "ThreadQueueUpdateParams", description: "Params of `thread/queue/update`." },
);
export interface ThreadQueueUpdateParams extends Static<typeof ThreadQueueUpdateParams> {
  input: UserInput[];
}

export const ThreadQueueDeleteParams = Type.Object(
  { threadId, queuedSubmissionId },
  { $id: "ThreadQueueDeleteParams", description: "Params of `thread/queue/delete`." },
);
export interface ThreadQueueDeleteParams extends Static<typeof ThreadQueueDeleteParams> {}

export const ThreadQueueDeleteResponse = Type.Object(
  allSince("0.166", { deleted: Type.Boolean({ description: "True if it was queued." }) }),
  { $id: "ThreadQueueDeleteResponse", description: "Result of `thread/queue/delete`." },
);
export interface ThreadQueueDeleteResponse extends Static<typeof ThreadQueueDeleteResponse> {}

export const ThreadQueueReorderParams = Type.Object(
  {
    threadId,
    queuedSubmissionIds: Type.Array(Type.String(), {
      description: "All ids of the queue, in the new order.",
    }),
  },
  { $id: "ThreadQueueReorderParams", description: "Params of `thread/queue/reorder`." },
);
export interface ThreadQueueReorderParams extends Static<typeof ThreadQueueReorderParams> {}

export const ThreadQueueReorderResponse = Type.Object(
  {},
  { $id: "ThreadQueueReorderResponse", description: "Result of `thread/queue/reorder`." },
);
export interface ThreadQueueReorderResponse extends Static<typeof ThreadQueueReorderResponse> {}

export const ThreadQueueStartParams = Type.Object(
  {
    threadId,
    queuedSubmissionId: Type.Optional(
      Type.String({ description: "Id of the queued input; the first by default." }),
    ),
  },
  { $id: "ThreadQueueStartParams", description: "Params of `thread/queue/start`." },
);
export interface ThreadQueueStartParams extends Static<typeof ThreadQueueStartParams> {}

export const queueMethods = [
  defineMethod({
    name: "thread/queue/add",
    summary: "Queues input for a separate turn; if no turn is running, it starts.",
    scope: "thread",
    params: ThreadQueueAddParams,
    result: ThreadQueueAddResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "thread/queue/list",
    summary: "Lists the queued input of a thread.",
    scope: "thread",
    params: ThreadQueueListParams,
    result: ThreadQueueListResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "thread/queue/update",
    summary: "Changes queued input.",
    scope: "thread",
    params: ThreadQueueUpdateParams,
    result: ThreadQueueAddResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "thread/queue/delete",
    summary: "Removes queued input.",
    scope: "thread",
    params: ThreadQueueDeleteParams,
    result: ThreadQueueDeleteResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "thread/queue/reorder",
    summary: "Reorders the queue of a thread.",
    scope: "thread",
    params: ThreadQueueReorderParams,
    result: ThreadQueueReorderResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "thread/queue/start",
    summary: "Starts a turn with queued input, for example after an interrupt.",
    scope: "thread",
    params: ThreadQueueStartParams,
    result: TurnStartResponse,
    since: "0.166",
  }),
  defineNotification({
    name: "thread/queue/changed",
    summary: "The queue of a thread changed.",
    scope: "thread",
    params: ThreadNotification,
    since: "0.166",
  }),
];
