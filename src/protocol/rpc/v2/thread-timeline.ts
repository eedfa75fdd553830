import Type, { type Static } from "typebox";
import { allSince, described, Nullable, since, taggedUnion } from "../../schema.js";
import { defineMethod } from "../declare.js";
import { nextCursor, PageParams } from "./common.js";
import { ThreadItem } from "./item.js";
import { ThreadItemEntry } from "./thread-history.js";
import { TurnError, TurnStatus } from "./turn.js";

const threadId = Type.String({ description: "Thread id (UUID)." });
const turnId = Type.String({ description: "Turn id." });
const position = Type.Integer({ description: "Position in the thread." });
const seconds = (description: string) =>
  Nullable(Type.Integer(), { description: `${description}, in Unix seconds.` });

export const ThreadItemsReadParams = Type.Object(
  {
    threadId,
    turnId,
    itemIds: Type.Array(Type.String(), { description: "Items of the turn; 1 to 100." }),
  },
  { $id: "ThreadItemsReadParams", description: "Params of `thread/items/read`." },
);
export interface ThreadItemsReadParams extends Static<typeof ThreadItemsReadParams> {}

export const ThreadItemsReadResponse = Type.Object(
  allSince("0.166", {
    data: Type.Array(ThreadItemEntry, { description: "Items that exist, in recorded order." }),
  }),
  { $id: "ThreadItemsReadResponse", description: "Result of `thread/items/read`." },
);
export interface ThreadItemsReadResponse extends Static<typeof ThreadItemsReadResponse> {
  data: ThreadItemEntry[];
}

export const ThreadTimelineListParams = Type.Object(
  { threadId, ...PageParams },
  { $id: "ThreadTimelineListParams", description: "Params of `thread/timeline/list`." },
);
export interface ThreadTimelineListParams extends Static<typeof ThreadTimelineListParams> {}

export const ThreadTimelineTurnStarted = Type.Object(
  allSince("0.166", {
    type: Type.Literal("turnStarted"),
    position,
    turnId,
    startedAt: seconds("Start time"),
  }),
  { $id: "ThreadTimelineTurnStarted", description: "A turn started." },
);
export interface ThreadTimelineTurnStarted extends Static<typeof ThreadTimelineTurnStarted> {}

export const ThreadTimelineItem = Type.Object(
  allSince("0.166", {
    type: Type.Literal("item"),
    position,
    turnId,
    item: described(ThreadItem, "The item."),
  }),
  { $id: "ThreadTimelineItem", description: "An item of a turn." },
);
export interface ThreadTimelineItem extends Static<typeof ThreadTimelineItem> {
  item: ThreadItem;
}

export const ThreadTimelineTurnCompleted = Type.Object(
  allSince("0.166", {
    type: Type.Literal("turnCompleted"),
    position,
    turnId,
    status: described(TurnStatus, "Status of the turn."),
    error: Nullable(TurnError, { description: "Error, if it failed." }),
    startedAt: seconds("Start time"),
    completedAt: seconds("End time"),
    durationMs: Nullable(Type.Integer(), { description: "Duration in milliseconds." }),
  }),
  { $id: "ThreadTimelineTurnCompleted", description: "A turn ended." },
);
export interface ThreadTimelineTurnCompleted extends Static<typeof ThreadTimelineTurnCompleted> {}

/** An entry of a timeline. */
export type ThreadTimelineEntry =
  | ThreadTimelineTurnStarted
  | ThreadTimelineItem
  | ThreadTimelineTurnCompleted;
export const ThreadTimelineEntry = taggedUnion(
  "ThreadTimelineEntry",
  "type",
  [
    since("0.166", ThreadTimelineTurnStarted),
    since("0.166", ThreadTimelineItem),
    since("0.166", ThreadTimelineTurnCompleted),
  ],
  "An entry of a timeline.",
);

export const ThreadTimelineListResponse = Type.Object(
  allSince("0.166", {
    data: Type.Array(ThreadTimelineEntry, { description: "Entries, oldest first." }),
    nextCursor: described(nextCursor, "Cursor of the page before this one; null if there is none."),
    activeRealtimeSessionAtPageStart: Type.Null({
      description: "Always null: there are no realtime conversations.",
    }),
  }),
  { $id: "ThreadTimelineListResponse", description: "Result of `thread/timeline/list`." },
);
export interface ThreadTimelineListResponse extends Static<typeof ThreadTimelineListResponse> {
  data: ThreadTimelineEntry[];
}

const dates = { since: "0.166", experimental: "0.166" } as const;

export const threadTimelineMethods = [
  defineMethod({
    name: "thread/items/read",
    summary: "Returns items of a turn by their ids.",
    scope: "thread",
    params: ThreadItemsReadParams,
    result: ThreadItemsReadResponse,
    ...dates,
  }),
  defineMethod({
    name: "thread/timeline/list",
    summary: "Lists the starts, items and ends of turns, newest page first.",
    scope: "thread",
    params: ThreadTimelineListParams,
    result: ThreadTimelineListResponse,
    ...dates,
  }),
];
