import type { MethodSink } from "../../../jsonrpc/index.js";
import { threadReadStateUpdate } from "../../../protocol/rpc/v2/methods.generated.js";
import type {
  ThreadReadStateUpdateParams,
  ThreadReadStateUpdateResponse,
} from "../../../protocol/rpc/v2/read-state.js";
import type { V2Connection } from "../connection.js";
import { assertThreadId } from "../thread-id.js";

/** The method that says what the user has read. */
export function addReadStateMethods(methods: MethodSink<V2Connection>): void {
  methods.on(threadReadStateUpdate, update);
}

async function update(
  { threadId, operation, expectedRevision }: ThreadReadStateUpdateParams,
  { server }: V2Connection,
): Promise<ThreadReadStateUpdateResponse> {
  assertThreadId(threadId);
  const isRead = operation.type === "read";
  const id = threadId.toLowerCase();
  return { readState: await server.readStates.mark(id, isRead, expectedRevision) };
}
