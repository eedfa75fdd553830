import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { type RpcBehavior, wireOf } from "../compat/index.js";
import {
  createPeer,
  type MethodErrors,
  MethodTable,
  type Peer,
  RpcError,
  type RpcRequest,
  rpcCodes,
} from "../jsonrpc/index.js";
import { errorText } from "../lib/errors.js";
import { nearest } from "../lib/nearest.js";
import { checkInitializeParams } from "../protocol/checks/v2-first.generated.js";
import { CodexError } from "../protocol/error.js";
import { isRecord, v2Method } from "../protocol/read/check.js";
import type { InitializeParams } from "../protocol/rpc/v2/initialize.js";
import { v2Methods } from "../protocol/rpc/v2/methods.generated.js";
import { unsupported } from "../protocol/rpc/v2/unsupported.js";
import type { Channel } from "../transport/index.js";
import { Connection } from "./connection.js";
import { mergeDeltas } from "./feed/legacy.js";
import { mergeItemDeltas } from "./feed/message.js";
import { createV2Handlers } from "./methods/index.js";
import { initialize } from "./methods/initialize.js";
import { assertNotDisconnected, type Server, whenReady } from "./server.js";
import { createV1Methods } from "./v1/index.js";
import { ConversationListeners } from "./v1/message.js";

/** Serves the app-server to one client. Resolves when the client has closed its side. */
export async function serveAppServer(channel: Channel, server: Server): Promise<void> {
  const { name, rpc } = server.parts.era;
  const methods = server.once(createTables);
  const peer: Peer = createPeer(channel, {
    writesVersion: "mirror",
    merge: (previous, next) => mergeItemDeltas(previous, next) ?? mergeDeltas(previous, next),
    onRequest: (request) => handle(request, connection, methods),
    toResult: wireOf(name).result,
    ...(rpc.answersMalformed ? {} : { onMalformed: () => undefined }),
  });
  const connection = new Connection(server, peer);
  server.addPeer(peer);
  server.addClient(connection);
  await peer.ended;
  await pendingReplies(peer);
  await peer.close();
  assertNotDisconnected(peer);
}

/**
 * Waits for the replies to a client that has closed its side and may still read, such as a script
 * whose input is a file. Bounded, so that a request that never ends does not keep the connection.
 */
async function pendingReplies(peer: Peer): Promise<void> {
  if (peer.signal.aborted) return;
  const limit = delay(maxReplyMs, undefined, { ref: false });
  await Promise.race([peer.idle(), once(peer.signal, "abort"), limit]);
}

const maxReplyMs = 5000;

/** Method tables of the app-server. Each is created for the first client that needs it. */
interface MethodTables {
  v2(): MethodTable<Connection>;
  /** The v1 methods, which some clients use without `initialize`. */
  v1(): MethodTable<Connection>;
}

function createTables({ parts, hasAllMethods }: Server): MethodTables {
  const errors = refusals(parts.era.rpc);
  const listeners = new WeakMap<Connection, ConversationListeners>();
  const listenersOf = (connection: Connection) => {
    const found = listeners.get(connection);
    if (found !== undefined) return found;
    const created = new ConversationListeners(connection, { isAppServer: true });
    listeners.set(connection, created);
    return created;
  };
  let v2: MethodTable<Connection> | undefined;
  let v1: MethodTable<Connection> | undefined;
  return {
    v2() {
      v2 ??= new MethodTable<Connection>(errors).add(
        v2Methods,
        createV2Handlers(),
        hasAllMethods ? undefined : wireOf(parts.era.name).has,
      );
      return v2;
    },
    v1() {
      v1 ??= createV1Methods(listenersOf, errors);
      return v1;
    },
  };
}

function handle(request: RpcRequest, connection: Connection, methods: MethodTables): unknown {
  if (request.method === "initialize") return initializeOnce(request, connection);
  if (connection.client === undefined) return handleEarly(request, connection, methods);
  if (!connection.capabilities.experimentalApi) assertStable(request, connection);
  return whenReady(request, connection.server, () => call(request, connection, methods));
}

function call(request: RpcRequest, connection: Connection, methods: MethodTables): unknown {
  const table = methods.v2().has(request.method) ? methods.v2() : methods.v1();
  if (table.has(request.method)) return table.call(request, connection);
  const known = [methods.v1(), methods.v2()].flatMap(({ names }) => names);
  throw refusals(connection.server.parts.era.rpc).unknownMethod(request.method, known);
}

/** Handles a request before `initialize`: only the v1 methods are served. */
function handleEarly(request: RpcRequest, connection: Connection, methods: MethodTables): unknown {
  const { v1RequiresInitialize } = connection.server.parts.era.rpc;
  if (v1RequiresInitialize || !methods.v1().has(request.method)) throw invalid("Not initialized");
  return whenReady(request, connection.server, () => methods.v1().call(request, connection));
}

/** Throws if a client without the capability uses an experimental method or param. */
function assertStable({ method, params }: RpcRequest, { server }: Connection): void {
  const { name: era, v2 } = server.parts.era;
  if (!v2.requiresExperimentalApi) return;
  const given = isRecord(params) ? Object.entries(params).filter(([, value]) => isSet(value)) : [];
  const used = [method, ...given.map(([name]) => `${method}.${name}`)];
  const { experimental } = wireOf(era);
  const found = used.find((name) => experimental.has(name));
  if (found !== undefined) throw invalid(`${found} requires experimentalApi capability`);
}

function isSet(value: unknown): boolean {
  return value != null && value !== false && !(Array.isArray(value) && value.length === 0);
}

function initializeOnce(request: RpcRequest, connection: Connection) {
  if (connection.client !== undefined) throw invalid("Already initialized");
  const params = checkedParams(request, connection.server.parts.era.rpc);
  return initialize(params, connection, request);
}

/** Separate from the table of methods, which the first request after it needs. */
const initializeMethod = v2Method<InitializeParams>("initialize", () => checkInitializeParams);

function checkedParams({ params }: RpcRequest, rpc: RpcBehavior): InitializeParams {
  try {
    return initializeMethod.check(params);
  } catch (problem) {
    throw refusals(rpc).invalidParams("initialize", problem);
  }
}

function invalid(message: string): RpcError {
  return new RpcError(rpcCodes.invalidRequest, message);
}

/**
 * Errors of the app-server for unknown methods and invalid params: one code, and the reason if the
 * era has it.
 */
function refusals({ errorDetail }: RpcBehavior): MethodErrors {
  return {
    unknownMethod(name, known) {
      const why = Object.hasOwn(unsupported, name) ? unsupported[name] : undefined;
      if (why !== undefined) return notSupported(name, why);
      return refuse(unknownMethod[errorDetail](name.slice(0, 80), known));
    },
    invalidParams: (_name, problem) => refuse(invalidParams[errorDetail](problem)),
  };
}

/** Returns the error for a known method that is not supported; clients check for its code. */
function notSupported(name: string, why: string): RpcError {
  return new RpcError(rpcCodes.methodNotFound, `\`${name}\` is not supported. ${why}`);
}

type Forms<Args extends unknown[]> = Record<
  RpcBehavior["errorDetail"],
  (...args: Args) => string | undefined
>;

const unknownMethod: Forms<[name: string, known: readonly string[]]> = {
  bare: () => undefined,
  parsed(name, known) {
    const list = ["initialize", ...known].map((one) => `\`${one}\``).join(", ");
    return `unknown variant \`${name}\`, expected one of ${list}`;
  },
  reasoned(name, known) {
    const near = nearest(name, known);
    const hint = near === undefined ? "" : ` Did you mean \`${near}\`?`;
    return `there is no method \`${name}\`.${hint}`;
  },
};

const invalidParams: Forms<[problem: unknown]> = {
  bare: () => undefined,
  parsed: (problem) => parserMessage(problem) ?? errorText(problem),
  reasoned(problem) {
    const words = parserMessage(problem);
    return words === undefined ? errorText(problem) : `${words} (${errorText(problem)})`;
  },
};

/** Returns the message of the reference's parser, which clients may match. */
function parserMessage(problem: unknown): string | undefined {
  const cause = problem instanceof CodexError ? problem.cause : undefined;
  return typeof cause === "string" ? cause : undefined;
}

function refuse(reason: string | undefined): RpcError {
  const message = reason === undefined ? "Invalid request" : `Invalid request: ${reason}`;
  return new RpcError(rpcCodes.invalidRequest, message);
}
