import Type, { type Static } from "typebox";
import { described, Nullable, taggedUnion } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";

const threadId = Type.String({ description: "Thread id (UUID)." });

export const ThreadUnreadPosition = taggedUnion(
  "ThreadUnreadPosition",
  "type",
  [
    Type.Object({ type: Type.Literal("threadStart") }),
    Type.Object({
      type: Type.Literal("turn"),
      turnId: Type.String({ description: "First unread turn." }),
    }),
  ],
  "First unread position of a thread.",
);
/** First unread position of a thread. */
export type ThreadUnreadPosition = { type: "threadStart" } | { type: "turn"; turnId: string };

export const ThreadReadState = Type.Object(
  {
    firstUnread: Nullable(ThreadUnreadPosition, {
      description: "First unread position; null if all is read.",
    }),
    revision: Type.String({ description: "Revision; updates must pass the latest one." }),
  },
  { $id: "ThreadReadState", description: "Read state of a thread." },
);
export interface ThreadReadState extends Static<typeof ThreadReadState> {
  firstUnread: ThreadUnreadPosition | null;
}

export const ThreadReadStateUpdateParams = Type.Object(
  {
    threadId,
    operation: taggedUnion(
      "ThreadReadStateOperation",
      "type",
      [Type.Object({ type: Type.Literal("read") }), Type.Object({ type: Type.Literal("unread") })],
      "Marks the whole thread as read or unread.",
    ),
    expectedRevision: Type.String({ description: "Latest `revision` known to the client." }),
  },
  { $id: "ThreadReadStateUpdateParams", description: "Params of `thread/readState/update`." },
);
export interface ThreadReadStateUpdateParams extends Static<typeof ThreadReadStateUpdateParams> {}

export const ThreadReadStateUpdateResponse = Type.Object(
  { readState: described(ThreadReadState, "New read state.") },
  { $id: "ThreadReadStateUpdateResponse", description: "Result of `thread/readState/update`." },
);
export interface ThreadReadStateUpdateResponse
  extends Static<typeof ThreadReadStateUpdateResponse> {
  readState: ThreadReadState;
}

export const ThreadReadStateChangedNotification = Type.Object(
  { threadId, readState: described(ThreadReadState, "New read state.") },
  {
    $id: "ThreadReadStateChangedNotification",
    description: "The read state of a thread changed.",
  },
);
export interface ThreadReadStateChangedNotification
  extends Static<typeof ThreadReadStateChangedNotification> {
  readState: ThreadReadState;
}

export const readStateMethods = [
  defineMethod({
    name: "thread/readState/update",
    summary: "Marks a thread as read or unread.",
    scope: "thread",
    params: ThreadReadStateUpdateParams,
    result: ThreadReadStateUpdateResponse,
    since: "0.166",
  }),
  defineNotification({
    name: "thread/readState/changed",
    summary: "The read state of a thread changed. Sent to clients with `experimentalApi`.",
    scope: "server",
    params: ThreadReadStateChangedNotification,
    since: "0.166",
  }),
];
