import type {
  ThreadReadStateUpdateParams,
  ThreadReadStateUpdateResponse,
} from "../../../protocol/rpc/v2/read-state.js";
import type { V2Connection, V2Handlers } from "../connection.js";
import { assertThreadId } from "../thread-id.js";

/** The method that says what the user has read. */
export const readStateHandlers = {
  "thread/readState/update": update,
} satisfies Partial<V2Handlers>;

async function update(
  { threadId, operation, expectedRevision }: ThreadReadStateUpdateParams,
  { server }: V2Connection,
): Promise<ThreadReadStateUpdateResponse> {
  assertThreadId(threadId);
  const isRead = operation.type === "read";
  const id = threadId.toLowerCase();
  return { readState: await server.readStates.mark(id, isRead, expectedRevision) };
}
