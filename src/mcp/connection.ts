import { errorCode } from "../lib/errors.js";
import { CallClock, durationText } from "./call-clock.js";
import type { ClientListener, McpClient, RequestOptions, ServerFacts } from "./client.js";
import type { FetchLike } from "./http/fetch.js";
import type { TokenStore } from "./oauth/token-store.js";
import { type McpServerConfig, serverEnvironment, startupLimitMs } from "./server-config.js";
import type { ServerTransport } from "./server-transport.js";
import type { LiveProcesses } from "./stdio/process.js";

/** What this machine gives to every server. */
export interface ConnectionParts {
  /** Our environment; servers see little of it. */
  env: Readonly<NodeJS.ProcessEnv>;
  /** Where programs are started whose config does not say. */
  cwd: string;
  /** The version of this program, as servers are told it. */
  version: string;
  live: LiveProcesses;
  /** Where logins are kept; without one no server is shown a login. */
  tokens?: TokenStore;
  /** Instead of Node's own client, for those behind a proxy. */
  fetch?: FetchLike;
}

/** A server that has been greeted. */
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
    return this.#client.ask(method, params, options);
  }

  /** What went wrong, in words for the user and the model. */
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
 * Starts or reaches a server and greets it.
 *
 * Throws with the reason in words for the user; then nothing of the server is left running. The SDK
 * is loaded here and nowhere else, so that a session without servers does not pay for it.
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
    const facts = await client.greet(parts.version, clock.signal);
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

/** Loading the SDK takes a while, in which a session that has just begun would say nothing. */
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
  return new StdioTransport(launch, parts.live);
}

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

/** Whether the server does not know what it was asked for. */
export function isMethodUnknown(error: unknown): boolean {
  return errorCode(error) === methodNotFound;
}

const connectionClosed = -32000;
const methodNotFound = -32601;
