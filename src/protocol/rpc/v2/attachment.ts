import Type, { type Static } from "typebox";
import { allSince, described, Nullish } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { EmptyResponse, nextCursor, PageParams } from "./common.js";

const threadId = Type.String({ description: "Thread id (UUID)." });
/** Type and key identify an attachment of a thread. */
const identity = {
  attachmentType: Type.String({ description: "Type, chosen by the client." }),
  identityKey: Type.String({ description: "Key, unique for the type in a thread." }),
};

export const ThreadAttachment = Type.Object(
  allSince("0.166", {
    id: Type.String({ description: "Attachment id." }),
    ...identity,
    payload: Type.Unknown({ description: "Data of the client." }),
    createdAt: Type.Integer({ description: "Creation time, in Unix seconds." }),
  }),
  { $id: "ThreadAttachment", description: "Data that a client attached to a thread." },
);
export interface ThreadAttachment extends Static<typeof ThreadAttachment> {}

export const ThreadAttachmentAddParams = Type.Object(
  { threadId, ...identity, payload: Type.Unknown({ description: "Data of the client." }) },
  { $id: "ThreadAttachmentAddParams", description: "Params of `thread/attachment/add`." },
);
export interface ThreadAttachmentAddParams extends Static<typeof ThreadAttachmentAddParams> {}

export const ThreadAttachmentAddResponse = Type.Object(
  allSince("0.166", {
    outcome: Type.Enum(["created", "existing"], {
      description: "`existing`: it was there before, and its data is unchanged.",
    }),
    attachment: described(ThreadAttachment, "The attachment."),
  }),
  { $id: "ThreadAttachmentAddResponse", description: "Result of `thread/attachment/add`." },
);
export interface ThreadAttachmentAddResponse extends Static<typeof ThreadAttachmentAddResponse> {
  attachment: ThreadAttachment;
}

export const ThreadAttachmentListParams = Type.Object(
  { threadId, ...PageParams },
  { $id: "ThreadAttachmentListParams", description: "Params of `thread/attachment/list`." },
);
export interface ThreadAttachmentListParams extends Static<typeof ThreadAttachmentListParams> {}

export const ThreadAttachmentListResponse = Type.Object(
  allSince("0.166", {
    data: Type.Array(ThreadAttachment, { description: "Attachments, oldest first." }),
    nextCursor,
  }),
  { $id: "ThreadAttachmentListResponse", description: "Result of `thread/attachment/list`." },
);
export interface ThreadAttachmentListResponse extends Static<typeof ThreadAttachmentListResponse> {
  data: ThreadAttachment[];
}

export const ThreadAttachmentOwnerListParams = Type.Object(
  {
    ...identity,
    archived: Nullish(Type.Boolean(), {
      description: "Limits the list to archived threads, or to the others. Default: all.",
    }),
    ...PageParams,
  },
  {
    $id: "ThreadAttachmentOwnerListParams",
    description: "Params of `thread/attachmentOwner/list`.",
  },
);
export interface ThreadAttachmentOwnerListParams
  extends Static<typeof ThreadAttachmentOwnerListParams> {}

export const ThreadAttachmentOwner = Type.Object(
  allSince("0.166", {
    threadId,
    archived: Type.Boolean({ description: "True if the thread is archived." }),
  }),
  { $id: "ThreadAttachmentOwner", description: "A thread with an attachment." },
);
export interface ThreadAttachmentOwner extends Static<typeof ThreadAttachmentOwner> {}

export const ThreadAttachmentOwnerListResponse = Type.Object(
  allSince("0.166", {
    data: Type.Array(ThreadAttachmentOwner, { description: "Threads with the attachment." }),
    nextCursor,
  }),
  {
    $id: "ThreadAttachmentOwnerListResponse",
    description: "Result of `thread/attachmentOwner/list`.",
  },
);
export interface ThreadAttachmentOwnerListResponse
  extends Static<typeof ThreadAttachmentOwnerListResponse> {
  data: ThreadAttachmentOwner[];
}

export const ThreadAttachmentRemoveParams = Type.Object(
  { threadId, ...identity },
  { $id: "ThreadAttachmentRemoveParams", description: "Params of `thread/attachment/remove`." },
);
export interface ThreadAttachmentRemoveParams extends Static<typeof ThreadAttachmentRemoveParams> {}

export const ThreadAttachmentUpdatedNotification = Type.Object(
  allSince("0.166", {
    threadId,
    ...identity,
    attachmentId: Type.String({ description: "Attachment id." }),
    operation: Type.Enum(["created", "deleted"], { description: "Kind of change." }),
  }),
  {
    $id: "ThreadAttachmentUpdatedNotification",
    description: "An attachment was added or removed.",
  },
);
export interface ThreadAttachmentUpdatedNotification
  extends Static<typeof ThreadAttachmentUpdatedNotification> {}

export const attachmentMethods = [
  defineMethod({
    name: "thread/attachment/add",
    summary: "Attaches data to a thread, unless it has that attachment.",
    scope: "thread",
    params: ThreadAttachmentAddParams,
    result: ThreadAttachmentAddResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "thread/attachment/list",
    summary: "Lists the attachments of a thread.",
    scope: "thread",
    params: ThreadAttachmentListParams,
    result: ThreadAttachmentListResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "thread/attachmentOwner/list",
    summary: "Lists the threads with an attachment.",
    scope: "server",
    params: ThreadAttachmentOwnerListParams,
    result: ThreadAttachmentOwnerListResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "thread/attachment/remove",
    summary: "Removes an attachment from a thread.",
    scope: "thread",
    params: ThreadAttachmentRemoveParams,
    result: EmptyResponse,
    since: "0.166",
  }),
  defineNotification({
    name: "thread/attachment/updated",
    summary: "An attachment was added to a thread or removed from it.",
    scope: "server",
    params: ThreadAttachmentUpdatedNotification,
    since: "0.166",
  }),
];
