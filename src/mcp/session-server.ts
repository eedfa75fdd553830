import { isDeepStrictEqual } from "node:util";
import type { Era } from "../compat/index.js";
import { createDeferred } from "../lib/async.js";
import { errorText } from "../lib/errors.js";
import type {
  CallToolResult,
  McpInvocation,
  McpStartupStatus,
  McpTool,
  TraceContext,
} from "../protocol/types.js";
import type { AnswerElicitation, RequestOptions, ServerFacts } from "./client.js";
import type { Lease, McpServerPool } from "./pool.js";
import { readCallResult, readPage } from "./read-results.js";
import type { Member, ResourceContents, ResourceKind } from "./requests.js";
import { isToolAllowed, type McpServerConfig, nameProblem } from "./server-config.js";
import { startupErrorText } from "./startup-error.js";

/** List method of each kind. */
const pageMethods: Record<ResourceKind, string> = {
  resources: "resources/list",
  resourceTemplates: "resources/templates/list",
};

/** Options that a session passes to each of its servers. */
export interface SessionServerOptions {
  pool: McpServerPool;
  era: Era;
  /** If omitted, elicitations are declined. */
  answerElicitation?: AnswerElicitation;
  /** Access to the span in which a request is made, if there are any. */
  tracing?: { current?: () => TraceContext | undefined };
}

/** A server as used by one session: with that session's tools, limits and elicitations. */
export class SessionServer {
  /** Outcome of its startup; never rejects. */
  readonly started: Promise<Exclude<McpStartupStatus, { state: "starting" }>>;
  readonly #name: string;
  readonly #config: McpServerConfig;
  readonly #options: SessionServerOptions;
  readonly #lease: Lease | undefined;
  readonly #member: Member;
  readonly #closed = createDeferred<"closed">();
  #failure: string | undefined;
  /** Error without a prefix, for versions that report it that way. */
  reason: string | undefined;
  #isReady = false;

  constructor(
    name: string,
    config: McpServerConfig,
    options: SessionServerOptions,
    onToolsChanged: () => void,
  ) {
    this.#name = name;
    this.#config = config;
    this.#options = options;
    this.#member = {
      onToolsChanged,
      answerElicitation: async (question, signal) =>
        (await options.answerElicitation?.(question, signal)) ?? { action: "decline" },
    };
    const problem = nameProblem(name);
    if (problem === undefined) this.#lease = options.pool.lease(name, config, this.#member);
    this.started = this.#start(problem);
  }

  /** Returns true if it has this config and did not fail to start. */
  serves(config: McpServerConfig): boolean {
    return this.#failure === undefined && isDeepStrictEqual(config, this.#config);
  }

  get isRequired(): boolean {
    return this.#config.required === true;
  }

  get instructions(): string | undefined {
    return this.facts?.instructions;
  }

  /** Handshake result, if connected. */
  get facts(): ServerFacts | undefined {
    return this.#lease?.server.facts;
  }

  /** Reason why it did not start. */
  get failure(): string | undefined {
    return this.reason === undefined ? this.#failure : duringStart(this.reason);
  }

  /** Tools that the config allows; empty until ready. */
  get tools(): readonly McpTool[] {
    if (!this.#isReady || this.#lease === undefined) return [];
    return this.#lease.server.tools.filter(({ name }) => isToolAllowed(this.#config, name));
  }

  async call(
    { tool, arguments: given }: McpInvocation,
    options: RequestOptions,
  ): Promise<CallToolResult | string> {
    if (!isToolAllowed(this.#config, tool)) {
      return `tool call error: tool '${tool}' is disabled for MCP server '${this.#name}'`;
    }
    try {
      const params = { name: tool, ...argumentsFor(given) };
      return readCallResult(await this.#request("tools/call", params, options));
    } catch (error) {
      options.signal?.throwIfAborted();
      return this.#callFailure(tool, error);
    }
  }

  async resourcePage(
    kind: ResourceKind,
    { cursor, signal }: { cursor?: string; signal?: AbortSignal },
  ): Promise<{ entries: unknown[]; nextCursor?: string }> {
    const params = cursor === undefined ? {} : { cursor };
    const options = signal === undefined ? {} : { signal };
    return readPage(await this.#request(pageMethods[kind], params, options), kind);
  }

  async readResource({
    uri,
    signal,
  }: {
    uri: string;
    signal?: AbortSignal;
  }): Promise<ResourceContents> {
    const options = signal === undefined ? {} : { signal };
    const result = await this.#request("resources/read", { uri }, options);
    const { contents } = result;
    if (!Array.isArray(contents)) throw new Error("the server's result has no `contents`");
    return { ...result, contents };
  }

  async close(): Promise<void> {
    this.#closed.resolve("closed");
    this.#isReady = false;
    await this.#lease?.release();
  }

  async #start(problem: string | undefined): Promise<Awaited<SessionServer["started"]>> {
    try {
      if (problem !== undefined || this.#lease === undefined) throw new Error(problem);
      const first = await Promise.race([this.#lease.server.start(), this.#closed.promise]);
      if (first === "closed") return { state: "cancelled" };
      this.#isReady = true;
      return { state: "ready" };
    } catch (error) {
      const reason = errorText(error);
      const hasPrefix = this.#options.era.since["0.104"];
      if (hasPrefix) this.reason = reason;
      const ended = hasPrefix ? duringStart(reason) : reason;
      this.#failure = startupErrorText(this.#name, ended, this.#config);
      return { state: "failed", error: this.#failure };
    }
  }

  async #request(method: string, params: Record<string, unknown>, options: RequestOptions) {
    await this.started;
    if (this.#failure !== undefined) throw new Error(this.#failure);
    if (!this.#isReady || this.#lease === undefined) throw new Error("the server was closed");
    const trace = this.#options.tracing?.current?.();
    return this.#lease.server.request({
      method,
      params: trace === undefined ? params : { ...params, _meta: { ...trace } },
      member: this.#member,
      limitMs: this.#config.tool_timeout_ms ?? this.#defaultTimeoutMs,
      ...options,
    });
  }

  /** Before 0.104 a call had no limit by default. */
  get #defaultTimeoutMs(): number {
    return this.#options.era.since["0.104"] ? 60_000 : Number.POSITIVE_INFINITY;
  }

  #callFailure(tool: string, error: unknown): string {
    const text = `tool call error: tool call failed for \`${this.#name}/${tool}\``;
    const { since } = this.#options.era;
    if (!since["0.104"]) return text;
    const full = errorText(error);
    // Since 0.166 an error that the server replied with stands alone.
    const cause = since["0.166"] ? full.replace(/^tools\/call failed: (?=Mcp error: )/, "") : full;
    return `${text}\n\nCaused by:\n    ${cause}`;
  }
}

/** Returns the `arguments` of a tool call, which must be an object or omitted. */
function argumentsFor(given: unknown): { arguments?: object } {
  if (given === undefined || given === null) return {};
  if (typeof given === "object" && !Array.isArray(given)) return { arguments: given };
  const shown = JSON.stringify(given).slice(0, 200);
  throw new Error(`MCP tool arguments must be a JSON object, got ${shown}`);
}

function duringStart(reason: string): string {
  return `MCP startup failed: ${reason}`;
}
