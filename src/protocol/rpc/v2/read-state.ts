import Type, { type Static } from "typebox";
import { described, Nullable, taggedUnion } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";

const threadId = Type.String({ description: "The thread, by its UUID." });

export const ThreadUnreadPosition = taggedUnion(
  "ThreadUnreadPosition",
  "type",
  [
    Type.Object({ type: Type.Literal("threadStart") }),
    Type.Object({
      type: Type.Literal("turn"),
      turnId: Type.String({ description: "The first turn that the user has not read." }),
    }),
  ],
  "From where on the user has not read a thread.",
);
/** From where on the user has not read a thread. */
export type ThreadUnreadPosition = { type: "threadStart" } | { type: "turn"; turnId: string };

export const ThreadReadState = Type.Object(
  {
    firstUnread: Nullable(ThreadUnreadPosition, { description: "Null when all is read." }),
    revision: Type.String({ description: "Changes with it; whoever changes it says the last." }),
  },
  { $id: "ThreadReadState", description: "How far the user has read a thread." },
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
      "That all of it is read, or none.",
    ),
    expectedRevision: Type.String({ description: "The `revision` that the client has seen." }),
  },
  { $id: "ThreadReadStateUpdateParams", description: "What the user has read." },
);
export interface ThreadReadStateUpdateParams extends Static<typeof ThreadReadStateUpdateParams> {}

export const ThreadReadStateUpdateResponse = Type.Object(
  { readState: described(ThreadReadState, "How far it is read now.") },
  { $id: "ThreadReadStateUpdateResponse", description: "Answers `thread/readState/update`." },
);
export interface ThreadReadStateUpdateResponse
  extends Static<typeof ThreadReadStateUpdateResponse> {
  readState: ThreadReadState;
}

export const ThreadReadStateChangedNotification = Type.Object(
  { threadId, readState: described(ThreadReadState, "How far it is read now.") },
  {
    $id: "ThreadReadStateChangedNotification",
    description: "More of a thread is there to read, or was read.",
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
  }),
  defineNotification({
    name: "thread/readState/changed",
    summary: "The read state of a thread changed. Sent to clients with `experimentalApi`.",
    scope: "server",
    params: ThreadReadStateChangedNotification,
  }),
];
