import { RpcError, type RpcRequest, rpcCodes } from "../../../jsonrpc/index.js";
import { toDynamicTools } from "../../../protocol/read/dynamic-tool.js";
import type {
  ThreadStartParams,
  ThreadStartResponse,
} from "../../../protocol/rpc/v2/thread-start.js";
import type { V2Connection, V2Handlers } from "../connection.js";
import { describe } from "./describe.js";
import { announce, toOpened } from "./opened.js";
import { partsFor, toSettingsOp } from "./settings-op.js";

/** The method that begins threads. */
export const startHandlers = {
  "thread/start": startThread,
} satisfies Partial<V2Handlers>;

async function startThread(
  params: ThreadStartParams,
  connection: V2Connection,
  request: RpcRequest,
): Promise<ThreadStartResponse> {
  if (request.params == null) {
    throw new RpcError(rpcCodes.invalidRequest, "Invalid request: missing field `params`");
  }
  const { server } = connection;
  const { cwd } = server.parts;
  const { dynamicTools, ephemeral, experimentalRawEvents } = params;
  const op = {
    cwd,
    ...toSettingsOp(params, cwd),
    ...(dynamicTools === undefined ? {} : { dynamic_tools: toDynamicTools(dynamicTools) }),
    ...(ephemeral === true ? { ephemeral } : {}),
    ...(experimentalRawEvents === true ? { raw_events: true } : {}),
  };
  const thread = await server.threads.start(op, partsFor(connection));
  thread.purpose = params.threadSource;
  // Its file tells nothing yet that the thread itself does not.
  const wire = describe({ id: thread.id, live: thread, stored: undefined }, server);
  announce(thread, wire, connection, request);
  return connection.inEra("ThreadStartResponse", toOpened(thread, wire, connection));
}
