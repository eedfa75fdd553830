import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { RpcBehavior } from "../../compat/index.js";
import {
  createPeer,
  type MethodTable,
  type Peer,
  RpcError,
  type RpcRequest,
  rpcCodes,
} from "../../jsonrpc/index.js";
import { isRecord } from "../../protocol/read/record.js";
import type { InitializeParams } from "../../protocol/rpc/v2/initialize.js";
import { v2Methods } from "../../protocol/rpc/v2/methods.generated.js";
import type { Channel } from "../../transport/index.js";
import { mergeItemDeltas } from "../feed/index.js";
import { assertNotDisconnected, type Server } from "../server.js";
import { mergeDeltas } from "../v1/event-notification.js";
import { createV1Methods } from "../v1/table.js";
import { V2Connection } from "../v2/connection.js";
import { introduce } from "../v2/introduce.js";
import { createV2Methods } from "../v2/table.js";
import { refusals } from "./refusals.js";

/** Serves the app-server to one client. Resolves when the client has said all it will. */
export async function serveAppServer(channel: Channel, server: Server): Promise<void> {
  const { rpc } = server.parts.era;
  const peer: Peer = createPeer(channel, {
    writesVersion: "mirror",
    merge: (previous, next) => mergeItemDeltas(previous, next) ?? mergeDeltas(previous, next),
    onRequest: (request) => answer(request, connection),
    ...(rpc.answersMalformed ? {} : { onMalformed: () => undefined }),
  });
  const connection = new V2Connection(server, peer);
  server.add(peer);
  await peer.ended;
  await answered(peer);
  await peer.close();
  assertNotDisconnected(peer);
}

/**
 * A client that has said all it will may still listen, as a script does whose input was a file.
 *
 * What it asked is answered first, but not waited for without end.
 */
async function answered(peer: Peer): Promise<void> {
  if (peer.signal.aborted) return;
  const limit = delay(longestAnswerMs, undefined, { ref: false });
  await Promise.race([peer.idle(), once(peer.signal, "abort"), limit]);
}

const longestAnswerMs = 5000;

function answer(request: RpcRequest, connection: V2Connection): unknown {
  if (request.method === "initialize") return introduceOnce(request, connection);
  if (connection.client === undefined) return answerEarly(request, connection);
  if (!connection.capabilities.experimentalApi) assertStable(request, connection);
  return methodsOf(connection.server).call(request, connection);
}

/** Before the handshake only the v1 methods are served, which have none of their own. */
function answerEarly(request: RpcRequest, connection: V2Connection): unknown {
  const { server } = connection;
  const { rpc } = server.parts.era;
  server.v1Methods ??= createV1Methods(refusals(rpc));
  if (rpc.v1RequiresInitialize || !server.v1Methods.has(request.method)) {
    throw invalid("Not initialized");
  }
  return server.v1Methods.call(request, connection);
}

/** Made when the first one is called: who only asks who answers does not wait for them. */
function methodsOf(server: Server): MethodTable<V2Connection> {
  server.methods ??= createV2Methods(refusals(server.parts.era.rpc));
  return server.methods;
}

/** Throws when a client uses what it has not asked for and can still change. */
function assertStable({ method, params }: RpcRequest, { server }: V2Connection): void {
  const { experimental } = server.parts.era.v2;
  if (experimental.size === 0) return;
  const given = isRecord(params) ? Object.entries(params).filter(([, value]) => isSet(value)) : [];
  const used = [method, ...given.map(([name]) => `${method}.${name}`)];
  const found = used.find((name) => experimental.has(name));
  if (found !== undefined) throw invalid(`${found} requires experimentalApi capability`);
}

function isSet(value: unknown): boolean {
  return value != null && value !== false && !(Array.isArray(value) && value.length === 0);
}

function introduceOnce(request: RpcRequest, connection: V2Connection) {
  if (connection.client !== undefined) throw invalid("Already initialized");
  const params = checkedParams(request, connection.server.parts.era.rpc);
  return introduce(params, connection, request);
}

function checkedParams({ params }: RpcRequest, rpc: RpcBehavior): InitializeParams {
  try {
    return v2Methods.initialize.check(params);
  } catch (problem) {
    throw refusals(rpc).invalidParams("initialize", problem);
  }
}

function invalid(message: string): RpcError {
  return new RpcError(rpcCodes.invalidRequest, message);
}
