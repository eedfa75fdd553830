import type {
  ThreadReadStateUpdateParams,
  ThreadReadStateUpdateResponse,
} from "../../protocol/rpc/v2/read-state.js";
import { assertThreadId, type Connection, type V2Handlers } from "../connection.js";

/** Handler of `thread/readState/update`. */
export const readStateHandlers = {
  "thread/readState/update": update,
} satisfies Partial<V2Handlers>;

async function update(
  { threadId, operation, expectedRevision }: ThreadReadStateUpdateParams,
  { server }: Connection,
): Promise<ThreadReadStateUpdateResponse> {
  assertThreadId(threadId);
  const isRead = operation.type === "read";
  const id = threadId.toLowerCase();
  return { readState: await server.readStates.mark(id, isRead, expectedRevision) };
}
