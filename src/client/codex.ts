import type { Answering } from "./answering.js";
import type { AppServerClient } from "./app-server-client.js";
import type { ServerRequestHandlers } from "./messages.js";
import { Thread } from "./thread.js";
import type { ThreadOptions } from "./thread-options.js";

/** Connects to the server of a `Codex`, with who answers its questions. */
export type ConnectServer = (handlers: ServerRequestHandlers) => Promise<AppServerClient>;

/** Threads on one server, which is connected to when the first of them runs. */
export class CodexClient {
  #connect: ConnectServer;
  #client: Promise<AppServerClient> | undefined;
  #running = new Map<string, Answering>();
  #defaults: ThreadOptions;

  constructor(connect: ConnectServer, defaults: ThreadOptions = {}) {
    this.#connect = connect;
    this.#defaults = defaults;
  }

  /** A new thread; it begins with its first turn. */
  startThread(options: ThreadOptions = {}): Thread {
    return this.#createThread(undefined, options);
  }

  /** A thread that was recorded; it goes on with its next turn. */
  resumeThread(id: string, options: ThreadOptions = {}): Thread {
    return this.#createThread(id, options);
  }

  /** Ends the connection; a server in this process ends with it, and its threads. */
  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await (await client?.catch(() => undefined))?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #createThread(id: string | undefined, options: ThreadOptions): Thread {
    const config = { ...this.#defaults.config, ...options.config };
    return new Thread({
      id,
      options: { ...this.#defaults, ...options, config },
      connect: () => this.#server(),
      answerFor: (threadId, answering) => {
        this.#running.set(threadId, answering);
        return () => this.#running.delete(threadId);
      },
    });
  }

  /** The connection; a new one when it was lost. */
  async #server(): Promise<AppServerClient> {
    const current = await this.#client?.catch(() => undefined);
    if (current !== undefined && !current.signal.aborted) return current;
    this.#client = this.#connect(this.#handlers());
    return this.#client;
  }

  /** What the server asks goes to the turn it is about. */
  #handlers(): ServerRequestHandlers {
    const turnOf = (threadId: string) => {
      const answering = this.#running.get(threadId);
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
