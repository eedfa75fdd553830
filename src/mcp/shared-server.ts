import type { McpTool } from "../protocol/types.js";
import { CallClock, durationText, unlessAborted } from "./call-clock.js";
import type { McpElicitation, McpElicitationAnswer, ServerFacts } from "./client.js";
import { type Connection, type ConnectionParts, openConnection } from "./connection.js";
import { listTools } from "./read-results.js";
import type { Member, ServerRequest } from "./requests.js";
import { type McpServerConfig, startupLimitMs } from "./server-config.js";

/**
 * A server shared by all sessions of the process.
 *
 * It is started once. If it exits, the next request restarts it; requests pending at that time
 * fail.
 */
export class SharedServer {
  readonly #name: string;
  readonly #config: McpServerConfig;
  readonly #parts: ConnectionParts;
  readonly #members = new Set<Member>();
  readonly #calls: { member: Member; clock: CallClock }[] = [];
  readonly #closing = new AbortController();
  #connection: Connection | undefined;
  #opening: Promise<Connection> | undefined;
  #tools: readonly McpTool[] = [];
  #problems: readonly string[] = [];
  #refresh: NodeJS.Timeout | undefined;
  #questions = 0;

  constructor(name: string, config: McpServerConfig, parts: ConnectionParts) {
    this.#name = name;
    this.#config = config;
    this.#parts = parts;
  }

  /** Tools of the server; empty until started. */
  get tools(): readonly McpTool[] {
    return this.#tools;
  }

  /** Problems with tools that cannot be used. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  /** Handshake result; undefined until started. */
  get facts(): ServerFacts | undefined {
    return this.#connection?.facts;
  }

  join(member: Member): void {
    this.#members.add(member);
  }

  leave(member: Member): void {
    this.#members.delete(member);
  }

  /** Waits until the server is ready; throws an error with a message for the user. */
  async start(): Promise<void> {
    await this.#connected();
  }

  /**
   * Sends a request. Throws an error with a message for the user and the model, or the signal's
   * reason if it aborts.
   */
  async request(request: ServerRequest): Promise<Record<string, unknown>> {
    const { method, member, limitMs, signal } = request;
    signal?.throwIfAborted();
    const clock = new CallClock(limitMs, signal);
    const call = { member, clock };
    this.#calls.push(call);
    try {
      return await this.#sendRequest(request, clock.signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (!clock.expired) throw error;
      throw new Error(`timed out awaiting ${method} after ${durationText(limitMs)}`);
    } finally {
      clock.stop();
      this.#calls.splice(this.#calls.indexOf(call), 1);
    }
  }

  /** Stops the server, even if it is in use. */
  async close(): Promise<void> {
    this.#closing.abort(new Error("the server was closed"));
    clearTimeout(this.#refresh);
    await this.#opening?.catch(() => {});
    await this.#connection?.close();
  }

  async #sendRequest({ method, params, onProgress }: ServerRequest, signal: AbortSignal) {
    const options = { signal, ...(onProgress === undefined ? {} : { onProgress }) };
    let connection = await unlessAborted(this.#connected(), signal);
    try {
      return await connection.request(method, params, options);
    } catch (error) {
      if (!connection.isSessionLost(error)) {
        throw new Error(`${method} failed: ${connection.describe(error)}`, { cause: error });
      }
      await connection.close();
      connection = await unlessAborted(this.#connected(), signal);
      return await connection.request(method, params, options).catch((again: unknown) => {
        throw new Error(`${method} failed: ${connection.describe(again)}`, { cause: again });
      });
    }
  }

  #connected(): Promise<Connection> {
    if (this.#closing.signal.aborted) return Promise.reject(this.#closing.signal.reason);
    if (this.#connection?.isOpen) return Promise.resolve(this.#connection);
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #open(): Promise<Connection> {
    const connection = await openConnection({
      server: this.#name,
      config: this.#config,
      parts: this.#parts,
      listener: {
        answerElicitation: (question, signal) => this.#answer(question, signal),
        onToolsChanged: () => this.#refreshSoon(),
      },
      signal: this.#closing.signal,
    });
    try {
      await this.#readTools(connection);
    } catch (error) {
      await connection.close();
      throw error;
    }
    this.#connection = connection;
    return connection;
  }

  async #readTools(connection: Connection): Promise<void> {
    const limitMs = startupLimitMs(this.#config);
    const clock = new CallClock(limitMs, this.#closing.signal);
    try {
      const { tools, problems } = await listTools(connection, clock.signal);
      this.#tools = tools;
      this.#problems = problems;
    } catch (error) {
      this.#closing.signal.throwIfAborted();
      if (!clock.expired) throw new Error(connection.describe(error), { cause: error });
      throw new Error(`timed out awaiting tools/list after ${durationText(limitMs)}`);
    } finally {
      clock.stop();
    }
  }

  /** Limits how often the tool list is fetched, however often the server reports changes. */
  #refreshSoon(): void {
    if (this.#closing.signal.aborted) return;
    this.#refresh ??= setTimeout(async () => {
      try {
        if (this.#connection?.isOpen) await this.#readTools(this.#connection);
        for (const member of this.#members) member.onToolsChanged();
      } catch {
        // The known tools remain in use.
      } finally {
        this.#refresh = undefined;
      }
    }, refreshPauseMs).unref();
  }

  /**
   * Forwards an elicitation. It does not name its call, so it goes to the session that called last,
   * and that session's deadlines are paused while the user answers.
   */
  async #answer(
    question: Omit<McpElicitation, "server">,
    signal: AbortSignal,
  ): Promise<McpElicitationAnswer> {
    const member = this.#calls.at(-1)?.member ?? [...this.#members][0];
    if (member === undefined || this.#questions >= maxQuestions) return { action: "cancel" };
    const waiting = this.#calls.filter((call) => call.member === member);
    for (const { clock } of waiting) clock.pause();
    this.#questions++;
    try {
      return await member.answerElicitation({ ...question, server: this.#name }, signal);
    } finally {
      this.#questions--;
      for (const { clock } of waiting) clock.resume();
    }
  }
}

const refreshPauseMs = 100;
/** Maximum number of pending elicitations; further ones are cancelled. */
const maxQuestions = 8;
