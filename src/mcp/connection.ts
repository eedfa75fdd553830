import { errorCode } from "../lib/errors.js";
import { CallClock, durationText } from "./call-clock.js";
import type { ClientListener, McpClient, RequestOptions, ServerFacts } from "./client.js";
import type { FetchLike } from "./http/fetch.js";
import type { TokenStore } from "./oauth/token-store.js";
import { type McpServerConfig, serverEnvironment, startupLimitMs } from "./server-config.js";
import type { ServerTransport } from "./server-transport.js";
import type { LiveProcesses, StartConfined } from "./stdio/process.js";

/** Dependencies shared by all connections. */
export interface ConnectionParts {
  /** Environment of this process; servers get only a few of its variables. */
  env: Readonly<NodeJS.ProcessEnv>;
  /** Default working directory of server programs. */
  cwd: string;
  /** Version of this program, sent in the handshake. */
  version: string;
  live: LiveProcesses;
  /** Starts server programs that must not read some files; without it they are not started. */
  startConfined?: StartConfined;
  /** Store of OAuth logins; without it no stored login is used. */
  tokens?: TokenStore;
  /** Replaces Node's HTTP client, e.g. behind a proxy. */
  fetch?: FetchLike;
}

/** A connection to a server, after the handshake. */
export class Connection {
  readonly facts: ServerFacts;
  readonly #client: McpClient;
  readonly #transport: ServerTransport;

  constructor(client: McpClient, transport: ServerTransport, facts: ServerFacts) {
    this.#client = client;
    this.#transport = transport;
    this.facts = facts;
  }

  get isOpen(): boolean {
    return this.#client.transport !== undefined && this.#transport.endReason === undefined;
  }

  request(
    method: string,
    params: Record<string, unknown>,
    options: RequestOptions,
  ): Promise<Record<string, unknown>> {
    return this.#client.sendRequest(method, params, options);
  }

  /** Returns an error message for the user and the model. */
  describe(error: unknown): string {
    return describeFailure(error, this.#transport);
  }

  isSessionLost(error: unknown): boolean {
    return this.#transport.isSessionLost?.(error) ?? false;
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}

/**
 * Starts or connects to a server and performs the handshake.
 *
 * Throws an error with a message for the user; nothing of the server is left running then. The SDK
 * is loaded only here, so a session without servers does not pay for it.
 */
export async function openConnection(options: {
  server: string;
  config: McpServerConfig;
  parts: ConnectionParts;
  listener: ClientListener;
  signal: AbortSignal;
}): Promise<Connection> {
  const { server, config, parts, listener, signal } = options;
  const transport = await createTransport(server, config, parts);
  signal.throwIfAborted();
  const limitMs = startupLimitMs(config);
  const clock = new CallClock(limitMs, signal);
  try {
    transport.prepare?.();
    const client = await createClient(listener);
    await client.connect(transport);
    const facts = await client.initialize(parts.version, clock.signal);
    return new Connection(client, transport, facts);
  } catch (error) {
    const reason = transport.endReason;
    await transport.close();
    signal.throwIfAborted();
    if (clock.expired) {
      throw new Error(`timed out handshaking with MCP server after ${durationText(limitMs)}`);
    }
    throw new Error(reason ?? describeFailure(error, transport));
  } finally {
    clock.stop();
  }
}

/** Yields first: loading the SDK takes a while and would delay the first events of a session. */
async function createClient(listener: ClientListener): Promise<McpClient> {
  await new Promise((resolve) => setImmediate(resolve));
  const { McpClient } = await import("./client.js");
  return new McpClient(listener);
}

async function createTransport(
  server: string,
  { transport: config }: McpServerConfig,
  parts: ConnectionParts,
): Promise<ServerTransport> {
  if (config.type === "streamable_http") {
    const { createHttpTransport } = await import("./http/create-transport.js");
    return createHttpTransport(server, config, parts);
  }
  const { StdioTransport } = await import("./stdio/transport.js");
  const launch = {
    command: config.command,
    args: config.args ?? [],
    env: serverEnvironment(config, parts.env),
    cwd: config.cwd ?? parts.cwd,
  };
  const { confinement } = config;
  if (confinement === undefined) return new StdioTransport(launch, parts.live);
  const { startConfined } = parts;
  if (startConfined === undefined) throw new Error(unconfined);
  return new StdioTransport(launch, parts.live, () => startConfined(launch, confinement));
}

const unconfined =
  "permission rules deny files, and there is no sandbox here that keeps the server from reading them";

function describeFailure(error: unknown, transport: ServerTransport): string {
  const own = transport.describe?.(error);
  if (own !== undefined) return own;
  if (isConnectionClosed(error) && transport.endReason !== undefined) return transport.endReason;
  return messageOf(error);
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const code = errorCode(error);
  if (error.name !== "McpError") return error.message;
  return `Mcp error: ${code}: ${error.message.replace(/^(MCP error -?\d+: )+/, "")}`;
}

function isConnectionClosed(error: unknown): boolean {
  return errorCode(error) === connectionClosed;
}

/** Returns true if the server does not implement the method. */
export function isMethodUnknown(error: unknown): boolean {
  return errorCode(error) === methodNotFound;
}

const connectionClosed = -32000;
const methodNotFound = -32601;
