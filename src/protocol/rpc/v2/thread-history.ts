import Type, { type Static } from "typebox";
import { described, Nullable, since } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { backwardsCursor, nextCursor, PageParams, SortDirection } from "./common.js";
import { ThreadItem } from "./item.js";
import { ThreadReadState } from "./read-state.js";
import { Thread, ThreadNotification, ThreadResponse } from "./thread.js";
import { Turn, TurnItemsView } from "./turn.js";

const threadId = Type.String({ description: "Thread id (UUID)." });
const ms = (description: string) => Nullable(Type.Integer(), { description });

export const ThreadReadParams = Type.Object(
  {
    threadId,
    includeTurns: Type.Optional(Type.Boolean({ description: "Includes the turns." })),
  },
  { $id: "ThreadReadParams", description: "Params of `thread/read`." },
);
export interface ThreadReadParams extends Static<typeof ThreadReadParams> {}

export const ThreadReadResponse = Type.Object(
  {
    thread: described(Thread, "The thread."),
    readState: since(
      "0.166",
      Nullable(ThreadReadState, { description: "Read state; null if nothing was ever unread." }),
    ),
  },
  { $id: "ThreadReadResponse", description: "Result of `thread/read`." },
);
export interface ThreadReadResponse extends Static<typeof ThreadReadResponse> {
  thread: Thread;
  readState: ThreadReadState | null;
}

const turnsPage = {
  ...PageParams,
  sortDirection: described(Type.Optional(SortDirection), "Sort order. Default: newest first."),
  itemsView: described(
    Type.Optional(TurnItemsView),
    "Items to include: none, the first and last message, or all.",
  ),
};

export const TurnsPageParams = Type.Object(turnsPage, {
  $id: "TurnsPageParams",
  description: "Page of turns.",
});
export interface TurnsPageParams extends Static<typeof TurnsPageParams> {}

export const TurnsPage = Type.Object(
  { data: Type.Array(Turn, { description: "Turns." }), nextCursor, backwardsCursor },
  { $id: "TurnsPage", description: "A page of the turns of a thread." },
);
export interface TurnsPage extends Static<typeof TurnsPage> {
  data: Turn[];
}

export const ThreadTurnsListParams = Type.Object(
  { threadId, ...turnsPage },
  { $id: "ThreadTurnsListParams", description: "Params of `thread/turns/list`." },
);
export interface ThreadTurnsListParams extends Static<typeof ThreadTurnsListParams> {}

export const ThreadItemsListParams = Type.Object(
  {
    threadId,
    turnId: Type.Optional(Type.String({ description: "Limits the list to this turn." })),
    cursor: Type.Optional(
      Type.Union(
        [
          Type.String(),
          Type.Object({
            type: Type.Literal("item"),
            itemId: Type.String({ description: "Item of the turn `turnId`." }),
          }),
        ],
        { description: "Cursor, or the item to start after." },
      ),
    ),
    limit: PageParams.limit,
    sortDirection: described(Type.Optional(SortDirection), "Sort order. Default: oldest first."),
  },
  { $id: "ThreadItemsListParams", description: "Params of `thread/items/list`." },
);
export interface ThreadItemsListParams extends Static<typeof ThreadItemsListParams> {}

export const ThreadItemEntry = Type.Object(
  {
    turnId: Type.String({ description: "Turn id." }),
    item: described(ThreadItem, "The item."),
    startedAtMs: ms("Start time in Unix milliseconds, if recorded."),
    completedAtMs: ms("Completion time in Unix milliseconds, if recorded."),
  },
  { $id: "ThreadItemEntry", description: "An item with its turn." },
);
export interface ThreadItemEntry extends Static<typeof ThreadItemEntry> {
  item: ThreadItem;
}

export const ThreadItemsListResponse = Type.Object(
  { data: Type.Array(ThreadItemEntry, { description: "Items." }), nextCursor, backwardsCursor },
  { $id: "ThreadItemsListResponse", description: "A page of the items of a thread." },
);
export interface ThreadItemsListResponse extends Static<typeof ThreadItemsListResponse> {
  data: ThreadItemEntry[];
}

export const ThreadRollbackParams = Type.Object(
  {
    threadId,
    numTurns: Type.Integer({
      minimum: 1,
      description: "Number of turns to remove from the end. File changes are kept.",
    }),
  },
  { $id: "ThreadRollbackParams", description: "Params of `thread/rollback`." },
);
export interface ThreadRollbackParams extends Static<typeof ThreadRollbackParams> {}

export const ThreadRevertParams = Type.Object(
  {
    threadId,
    beforeTurnId: Type.String({
      description: "First turn to remove; all later turns are removed too. File changes are kept.",
    }),
  },
  { $id: "ThreadRevertParams", description: "Params of `thread/revert`." },
);
export interface ThreadRevertParams extends Static<typeof ThreadRevertParams> {}

export const ThreadRevertResponse = Type.Object(
  {
    thread: described(Thread, "Thread without its turns."),
    turnsBackwardsCursor: Nullable(Type.String(), {
      description:
        "Cursor for `thread/turns/list` in descending order; it starts with the last turn.",
    }),
    itemsBackwardsCursor: Nullable(Type.String(), {
      description:
        "Cursor for `thread/items/list` in descending order; it starts with the last item.",
    }),
  },
  { $id: "ThreadRevertResponse", description: "Result of `thread/revert`." },
);
export interface ThreadRevertResponse extends Static<typeof ThreadRevertResponse> {
  thread: Thread;
}

export const threadHistoryMethods = [
  defineMethod({
    name: "thread/read",
    summary: "Returns a thread without loading it.",
    scope: "thread",
    params: ThreadReadParams,
    result: ThreadReadResponse,
  }),
  defineMethod({
    name: "thread/turns/list",
    summary: "Lists the turns of a thread.",
    scope: "thread",
    params: ThreadTurnsListParams,
    result: TurnsPage,
    since: "0.166",
  }),
  defineMethod({
    name: "thread/items/list",
    summary: "Lists the items of a thread.",
    scope: "thread",
    params: ThreadItemsListParams,
    result: ThreadItemsListResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "thread/rollback",
    summary: "Removes the last turns from a thread. File changes are kept.",
    scope: "thread",
    params: ThreadRollbackParams,
    result: ThreadResponse,
  }),
  defineMethod({
    name: "thread/revert",
    summary: "Removes a turn and all later ones from a thread. File changes are kept.",
    scope: "thread",
    params: ThreadRevertParams,
    result: ThreadRevertResponse,
    since: "0.166",
  }),
  defineNotification({
    name: "thread/reverted",
    summary: "Turns were removed from a thread.",
    scope: "server",
    params: ThreadNotification,
    since: "0.166",
  }),
];
