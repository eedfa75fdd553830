import Type, { type Static } from "typebox";
import { described, Nullable } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { nextCursor, PageParams } from "./common.js";
import { ThreadItem } from "./item.js";
import { Thread, ThreadNotification, ThreadResponse } from "./thread.js";
import { Turn, TurnItemsView } from "./turn.js";

const threadId = Type.String({ description: "The thread, by its UUID." });
const ms = (description: string) => Nullable(Type.Integer(), { description });

export const SortDirection = Type.Enum(["asc", "desc"], {
  $id: "SortDirection",
  description: "Whether the oldest or the newest comes first.",
});
/** Whether the oldest or the newest comes first. */
export type SortDirection = Static<typeof SortDirection>;

/** Where a list in the other direction begins. */
export const backwardsCursor = Nullable(Type.String(), {
  description: "For a list in the other direction: it begins with the first of this page again.",
});

export const ThreadReadParams = Type.Object(
  {
    threadId,
    includeTurns: Type.Optional(Type.Boolean({ description: "The answer has the turns too." })),
  },
  { $id: "ThreadReadParams", description: "Which thread is shown; it is not loaded." },
);
export interface ThreadReadParams extends Static<typeof ThreadReadParams> {}

const turnsPage = {
  ...PageParams,
  sortDirection: described(Type.Optional(SortDirection), "The newest first, if absent."),
  itemsView: described(
    Type.Optional(TurnItemsView),
    "How many of their items are wanted: none, the first and the last message, or all.",
  ),
};

export const TurnsPageParams = Type.Object(turnsPage, {
  $id: "TurnsPageParams",
  description: "Which turns of a thread are shown.",
});
export interface TurnsPageParams extends Static<typeof TurnsPageParams> {}

export const TurnsPage = Type.Object(
  { data: Type.Array(Turn, { description: "The turns." }), nextCursor, backwardsCursor },
  { $id: "TurnsPage", description: "A page of the turns of a thread." },
);
export interface TurnsPage extends Static<typeof TurnsPage> {
  data: Turn[];
}

export const ThreadTurnsListParams = Type.Object(
  { threadId, ...turnsPage },
  { $id: "ThreadTurnsListParams", description: "Which turns of which thread." },
);
export interface ThreadTurnsListParams extends Static<typeof ThreadTurnsListParams> {}

export const ThreadItemsListParams = Type.Object(
  {
    threadId,
    turnId: Type.Optional(Type.String({ description: "Only the items of this turn." })),
    cursor: Type.Optional(
      Type.Union(
        [
          Type.String(),
          Type.Object({
            type: Type.Literal("item"),
            itemId: Type.String({ description: "An item of the turn that `turnId` names." }),
          }),
        ],
        { description: "Where to go on: a cursor, or behind an item." },
      ),
    ),
    limit: PageParams.limit,
    sortDirection: described(Type.Optional(SortDirection), "The oldest first, if absent."),
  },
  { $id: "ThreadItemsListParams", description: "Which items of which thread." },
);
export interface ThreadItemsListParams extends Static<typeof ThreadItemsListParams> {}

export const ThreadItemEntry = Type.Object(
  {
    turnId: Type.String({ description: "The turn it belongs to." }),
    item: described(ThreadItem, "The item."),
    startedAtMs: ms("When it began, if that is recorded."),
    completedAtMs: ms("When it was complete, if that is recorded."),
  },
  { $id: "ThreadItemEntry", description: "An item at its place in a thread." },
);
export interface ThreadItemEntry extends Static<typeof ThreadItemEntry> {
  item: ThreadItem;
}

export const ThreadItemsListResponse = Type.Object(
  { data: Type.Array(ThreadItemEntry, { description: "The items." }), nextCursor, backwardsCursor },
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
      description: "How many turns are taken back, from the end. Files stay as they are.",
    }),
  },
  { $id: "ThreadRollbackParams", description: "How much of a thread is forgotten." },
);
export interface ThreadRollbackParams extends Static<typeof ThreadRollbackParams> {}

export const ThreadRevertParams = Type.Object(
  {
    threadId,
    beforeTurnId: Type.String({
      description: "The first turn that is taken back, with all behind it. Files stay as they are.",
    }),
  },
  { $id: "ThreadRevertParams", description: "From where on a thread is forgotten." },
);
export interface ThreadRevertParams extends Static<typeof ThreadRevertParams> {}

export const ThreadRevertResponse = Type.Object(
  {
    thread: described(Thread, "The thread, without its turns."),
    turnsBackwardsCursor: Nullable(Type.String(), {
      description: "For `thread/turns/list` in descending order: it begins with the last turn.",
    }),
    itemsBackwardsCursor: Nullable(Type.String(), {
      description: "For `thread/items/list` in descending order: it begins with the last item.",
    }),
  },
  { $id: "ThreadRevertResponse", description: "What is left of a thread." },
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
    result: ThreadResponse,
  }),
  defineMethod({
    name: "thread/turns/list",
    summary: "Lists the turns of a thread.",
    scope: "thread",
    params: ThreadTurnsListParams,
    result: TurnsPage,
  }),
  defineMethod({
    name: "thread/items/list",
    summary: "Lists the items of a thread.",
    scope: "thread",
    params: ThreadItemsListParams,
    result: ThreadItemsListResponse,
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
  }),
  defineNotification({
    name: "thread/reverted",
    summary: "Turns were removed from a thread.",
    scope: "server",
    params: ThreadNotification,
  }),
];
