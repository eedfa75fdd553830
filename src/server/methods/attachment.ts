import { RpcError, type RpcRequest, rpcCodes } from "../../jsonrpc/index.js";
import type {
  ThreadAttachment,
  ThreadAttachmentAddParams,
  ThreadAttachmentAddResponse,
  ThreadAttachmentListParams,
  ThreadAttachmentListResponse,
  ThreadAttachmentOwner,
  ThreadAttachmentOwnerListParams,
  ThreadAttachmentOwnerListResponse,
  ThreadAttachmentRemoveParams,
} from "../../protocol/rpc/v2/attachment.js";
import { findRollout } from "../../rollout/index.js";
import { assertThreadId, type Connection, type V2Handlers } from "../connection.js";
import { threadEntry } from "../organization/organization.js";
import type { Server } from "../server.js";
import { pageAfter } from "./page.js";

/** Handlers of data that clients attach to threads. */
export const attachmentHandlers = {
  "thread/attachment/add": add,
  "thread/attachment/list": list,
  "thread/attachment/remove": remove,
  "thread/attachmentOwner/list": listOwners,
} satisfies Partial<V2Handlers>;

async function add(
  { threadId, attachmentType, identityKey, payload }: ThreadAttachmentAddParams,
  { server }: Connection,
  request: RpcRequest,
): Promise<ThreadAttachmentAddResponse> {
  const identity = { attachmentType, identityKey };
  const id = await findThread(threadId, identity, server);
  const { newId, clock } = server.parts;
  const createdAt = Math.floor(clock.now() / 1000);
  const { outcome, attachment } = await server.organization().change((state) => {
    const entry = threadEntry(state, id);
    const existing = entry.attachments?.find((one) => isSame(one, identity));
    if (existing !== undefined) return { outcome: "existing" as const, attachment: existing };
    const attachment = { id: newId(), ...identity, payload, createdAt };
    entry.attachments = [...(entry.attachments ?? []), attachment];
    return { outcome: "created" as const, attachment };
  });
  if (outcome === "created") notify(server, request, { threadId, attachment, operation: outcome });
  return { outcome, attachment };
}

async function list(
  { threadId, cursor, limit }: ThreadAttachmentListParams,
  { server }: Connection,
): Promise<ThreadAttachmentListResponse> {
  assertThreadId(threadId);
  const id = threadId.toLowerCase();
  const all = (await server.organization().read()).threads[id]?.attachments ?? [];
  const cursorOf = (one: ThreadAttachment) => `${id}|${one.createdAt}|${one.id}`;
  return pageAfter(all, positionOf(cursor, all, cursorOf), limit, cursorOf);
}

async function remove(
  { threadId, attachmentType, identityKey }: ThreadAttachmentRemoveParams,
  { server }: Connection,
  request: RpcRequest,
): Promise<Record<string, never>> {
  const identity = { attachmentType, identityKey };
  const id = await findThread(threadId, identity, server);
  const attachment = await server.organization().change(({ threads }) => {
    const entry = threads[id];
    const found = entry?.attachments?.find((one) => isSame(one, identity));
    if (entry !== undefined && found !== undefined) {
      entry.attachments = entry.attachments?.filter((one) => one !== found) ?? [];
    }
    return found;
  });
  if (attachment !== undefined) {
    notify(server, request, { threadId, attachment, operation: "deleted" });
  }
  return {};
}

async function listOwners(
  { attachmentType, identityKey, archived, cursor, limit }: ThreadAttachmentOwnerListParams,
  { server }: Connection,
): Promise<ThreadAttachmentOwnerListResponse> {
  const identity = { attachmentType, identityKey };
  checkIdentity(identity);
  const { threads } = await server.organization().read();
  const owners: ThreadAttachmentOwner[] = [];
  for (const [threadId, { attachments = [] }] of Object.entries(threads).sort()) {
    if (!attachments.some((one) => isSame(one, identity))) continue;
    const isArchived = (await findRollout(server.home, threadId, { archived: true })) !== undefined;
    if (archived == null || archived === isArchived)
      owners.push({ threadId, archived: isArchived });
  }
  const cursorOf = ({ threadId }: ThreadAttachmentOwner) => threadId;
  return pageAfter(owners, positionOf(cursor, owners, cursorOf), limit, cursorOf);
}

type Identity = Pick<ThreadAttachment, "attachmentType" | "identityKey">;

/** Checks the identity and returns the id of the stored thread. */
async function findThread(threadId: string, identity: Identity, server: Server): Promise<string> {
  assertThreadId(threadId);
  checkIdentity(identity);
  const id = threadId.toLowerCase();
  const live = server.threads.find(id);
  const isStored =
    (await findRollout(server.home, id)) ??
    (await findRollout(server.home, id, { archived: true }));
  if (isStored === undefined && (live === undefined || live.isEphemeral)) {
    throw invalid(`thread not found: ${threadId}`);
  }
  return id;
}

function checkIdentity({ attachmentType, identityKey }: Identity): void {
  if (attachmentType === "") throw invalid("attachmentType must not be empty");
  if (identityKey === "") throw invalid("identityKey must not be empty");
}

function isSame(one: Identity, other: Identity): boolean {
  return one.attachmentType === other.attachmentType && one.identityKey === other.identityKey;
}

function positionOf<Item>(
  cursor: string | undefined,
  all: readonly Item[],
  cursorOf: (item: Item) => string,
): number {
  if (cursor === undefined) return -1;
  const at = all.findIndex((one) => cursorOf(one) === cursor);
  if (at < 0) throw invalid("invalid pagination cursor");
  return at;
}

interface Change {
  threadId: string;
  attachment: ThreadAttachment;
  operation: "created" | "deleted";
}

function notify(
  server: Server,
  request: RpcRequest,
  { threadId, attachment, operation }: Change,
): void {
  const { id: attachmentId, attachmentType, identityKey } = attachment;
  const change = { threadId, attachmentType, identityKey, attachmentId, operation };
  request.afterReply(() => server.notifyAll("thread/attachment/updated", change));
}

function invalid(message: string): RpcError {
  return new RpcError(rpcCodes.invalidParams, message);
}
