import { CodexError } from "../protocol/error.js";
import type { AppServerClient } from "./app-server-client.js";
import type { Answering } from "./approvals.js";
import { checkCodexOptions, checkThreadOptions } from "./check-options.js";
import { closedError, toCodexError } from "./errors.js";
import type { ServerNotification, ServerRequestHandlers } from "./messages.js";
import { Thread } from "./thread.js";
import type { ThreadOptions } from "./thread-options.js";
import type { ListThreadsOptions, ThreadsList } from "./thread-requests.js";

/** Connects to the server of a `Codex`; `signal` aborts when it is closed meanwhile. */
export type ConnectServer = (
  handlers: ServerRequestHandlers,
  signal: AbortSignal,
) => Promise<AppServerClient>;

/** The fields of an item that names the thread of a helper agent. */
interface StartedAgent {
  agentThreadId?: string;
  receiverThreadIds?: string[];
}

/** Threads on one server, which is connected to when the first of them runs. */
export class CodexClient {
  #connect: ConnectServer;
  #client: Promise<AppServerClient> | undefined;
  #closed: Promise<void> | undefined;
  readonly #closing = new AbortController();
  #running = new Map<string, Answering>();
  /** Threads that started helper agents, by the threads of these. */
  readonly #agents = new Map<string, string>();
  #defaults: ThreadOptions;

  /** Creates threads on the server that `connect` reaches; `defaults` are options of all of them. */
  constructor(connect: ConnectServer, defaults: ThreadOptions = {}) {
    this.#connect = connect;
    this.#defaults = defaults;
  }

  /** Throws a `CodexError` if the options of a `Codex` are not understood. */
  protected static checkOptions(options: unknown): void {
    checkCodexOptions(options);
  }

  /** Returns a new thread; it is created on the server by its first turn. */
  startThread(options: ThreadOptions = {}): Thread {
    return this.#createThread(undefined, options);
  }

  /** Returns a recorded thread; its next turn resumes it. */
  resumeThread(id: string, options: ThreadOptions = {}): Thread {
    if (typeof id !== "string") {
      throw new CodexError("invalid_request", `Expected the id of a thread (got ${id})`);
    }
    return this.#createThread(id, options);
  }

  /** Lists recorded threads, page by page, the newest first. */
  async listThreads({ signal, ...params }: ListThreadsOptions = {}): Promise<ThreadsList> {
    try {
      signal?.throwIfAborted();
      return await (await this.#server()).request("thread/list", params, signal);
    } catch (error) {
      throw signal?.aborted ? signal.reason : toCodexError(error);
    }
  }

  /**
   * Closes the connection, also one that is being made. An engine in this process ends with it: once
   * this has resolved, its turns, commands and MCP servers have ended. Turns that are running reject,
   * and so does every later one.
   */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /** Closes it at the end of an `await using` block. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #createThread(id: string | undefined, options: ThreadOptions): Thread {
    checkThreadOptions(options);
    const config = { ...this.#defaults.config, ...options.config };
    return new Thread({
      id,
      options: { ...this.#defaults, ...options, config },
      connect: () => this.#server(),
      isClosed: () => this.#closed !== undefined,
      answerFor: (threadId, answering) => {
        this.#running.set(threadId, answering);
        return () => this.#running.delete(threadId);
      },
    });
  }

  /** Returns the connection that all threads share, making it if there is none. */
  #server(): Promise<AppServerClient> {
    if (this.#closed !== undefined) return Promise.reject(closedError());
    this.#client ??= this.#connectOnce();
    return this.#client;
  }

  /** Connects; a connection that fails or is lost makes room for the next one. */
  #connectOnce(): Promise<AppServerClient> {
    const client = this.#connect(this.#handlers(), this.#closing.signal);
    const forget = () => {
      if (this.#client === client) this.#client = undefined;
    };
    client.then((connected) => {
      connected.onNotification((notification) => {
        if (notification.method === "item/completed") this.#noteAgent(notification);
      });
      return connected.closed.then(forget, forget);
    }, forget);
    return client;
  }

  async #close(): Promise<void> {
    const client = this.#client;
    this.#closing.abort(closedError());
    await (await client?.catch(() => undefined))?.close();
  }

  /** Returns the thread of the user that a helper agent works for; other threads are their own. */
  #rootOf(threadId: string): string {
    const parent = this.#agents.get(threadId);
    return parent === undefined ? threadId : this.#rootOf(parent);
  }

  /** Remembers which thread started a helper agent, to answer its requests. */
  #noteAgent({ params }: ServerNotification): void {
    const { threadId, item } = (params ?? {}) as { threadId?: string; item?: StartedAgent };
    if (threadId === undefined || item === undefined) return;
    const { agentThreadId, receiverThreadIds = [] } = item;
    for (const id of agentThreadId === undefined ? receiverThreadIds : [agentThreadId]) {
      if (id !== threadId) this.#agents.set(id, threadId);
    }
  }

  /** Returns handlers that pass server requests to the turn they belong to. */
  #handlers(): ServerRequestHandlers {
    const turnOf = (threadId: string) => {
      const answering = this.#running.get(this.#rootOf(threadId));
      if (answering === undefined) throw new Error(`No turn of the thread ${threadId} runs here`);
      return answering;
    };
    return {
      "item/commandExecution/requestApproval": (params, { signal }) =>
        turnOf(params.threadId).approveCommand(params, signal),
      "item/fileChange/requestApproval": (params, { signal }) =>
        turnOf(params.threadId).approveFileChange(params, signal),
      "item/permissions/requestApproval": async (params, { signal }) => {
        const answer = await turnOf(params.threadId).approvePermissions(params, signal);
        if (answer !== undefined) return answer;
        const { threadId, turnId } = params;
        await (await this.#server()).request("turn/interrupt", { threadId, turnId });
        return { permissions: {}, scope: "turn" };
      },
      "item/tool/call": (params, { signal }) => turnOf(params.threadId).callTool(params, signal),
    };
  }
}
