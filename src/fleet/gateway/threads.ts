import { basename, relative } from "node:path";
import type { RpcRequest } from "../../jsonrpc/index.js";
import { CodexError } from "../../protocol/error.js";
import type { ConfigureSessionOp } from "../../protocol/types.js";
import {
  isUuid,
  type ListOptions,
  parseRolloutFileName,
  type ThreadPage,
} from "../../rollout/index.js";
import type { EngineParts, Fleet, OpenedThread, Server, Thread } from "../../server/index.js";
import type { Broker } from "../broker.js";
import { RolloutCopy } from "./copy.js";
import { ThreadDirectory } from "./directory.js";
import { assertOffered, threadIdOf } from "./methods.js";
import { RemoteThread } from "./remote-thread.js";
import { untilReached } from "./retry.js";
import { Sender } from "./sender.js";

/** Options of a gateway's threads. */
export interface GatewayThreadsOptions {
  broker: Broker;
  /** Pool that runs new threads. */
  pool: string;
  /** Name of the gateway, for the log. */
  gateway: string;
  /** Folder for copies of rollouts. */
  home: string;
  /** Time that a new thread waits for a worker. */
  startMs?: number;
}

/** The threads of a fleet, as a server without engines offers them. */
export class GatewayThreads implements Fleet {
  readonly #options: GatewayThreadsOptions;
  readonly #directory: ThreadDirectory;
  readonly #open = new Map<string, RemoteThread>();
  #server: Server | undefined;

  constructor(options: GatewayThreadsOptions) {
    this.#options = options;
    this.#directory = new ThreadDirectory(options.broker);
  }

  list(options: ListOptions): Promise<ThreadPage> {
    return this.#directory.list(options);
  }

  /** Loads the thread of a request, and reads its log up to the end. */
  prepare({ method, params }: RpcRequest, server: Server): Promise<void> | undefined {
    assertOffered(method);
    this.#server = server;
    const threadId = threadIdOf(params);
    if (threadId === undefined || !isUuid(threadId)) return undefined;
    const isLive = server.threads.find(threadId) !== undefined;
    if (isLive && sending.has(method)) return undefined;
    return this.#load(threadId, server);
  }

  async start(op: ConfigureSessionOp, parts: EngineParts): Promise<OpenedThread> {
    const { resume_path } = op;
    if (resume_path !== undefined) return this.#resume(resume_path, parts);
    const threadId = parts.newId();
    const thread = await this.#connect(threadId, this.#options.pool, parts);
    const { originator, source } = parts;
    const submission = {
      id: parts.newId(),
      op: withoutOwnFolder(op, parts.cwd),
      headers: { originator, source },
    };
    await thread.sender.put(submission);
    return this.#opened(thread, threadId);
  }

  async #notifySettings(thread: Thread): Promise<void> {
    const { notifySettings } = await import("../../server/methods/thread-settings.js");
    if (this.#server !== undefined && thread.isOpen) notifySettings(thread, this.#server);
  }

  async #load(threadId: string, server: Server): Promise<void> {
    if (server.threads.find(threadId) === undefined) {
      if (!(await this.#exists(threadId))) return; // the method reports it
      await server.threads.load(threadId, {});
    }
    await this.#open.get(threadId)?.sync();
  }

  async #exists(threadId: string): Promise<boolean> {
    const { log, submissions } = this.#options.broker;
    if ((await untilReached(() => log.head(threadId))) > 0) return true;
    return (await untilReached(() => submissions.head(threadId))) > 0;
  }

  async #resume(path: string, parts: EngineParts): Promise<OpenedThread> {
    const threadId = isUuid(path) ? path : parseRolloutFileName(basename(path))?.id;
    if (threadId === undefined || !(await this.#exists(threadId))) {
      throw new CodexError("thread_not_found", `The fleet has no thread ${threadId ?? path}`);
    }
    const { directory } = this.#options.broker;
    const entry = await untilReached(() => directory.get(threadId));
    return this.#opened(
      await this.#connect(threadId, entry?.pool ?? this.#options.pool, parts),
      threadId,
    );
  }

  async #connect(threadId: string, pool: string, { clock }: EngineParts) {
    const { broker, gateway, home } = this.#options;
    const closing = new AbortController();
    const sender = new Sender({
      broker,
      threadId,
      pool,
      gateway,
      now: () => clock.now(),
      signal: closing.signal,
    });
    const thread = new RemoteThread({
      broker,
      threadId,
      clock,
      sender,
      createCopy: (startedAt) => new RolloutCopy(home, threadId, startedAt),
      onSettings: (changed) => void this.#notifySettings(changed),
      closing,
    });
    return { thread, sender, closing };
  }

  /** Waits for the start of the session; a worker has to take the thread first. */
  async #opened(
    { thread, closing }: { thread: RemoteThread; closing: AbortController },
    threadId: string,
  ): Promise<OpenedThread> {
    const { pool, startMs = defaultStartMs } = this.#options;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      closing.abort(new Error("late"));
    }, startMs);
    try {
      await thread.open();
    } catch (error) {
      closing.abort(new Error("closed"));
      if (!isLate) throw error;
      const seconds = Math.round(startMs / 1000);
      const message = `No worker of pool "${pool}" has started thread ${threadId} within ${seconds} s. Start one with: quire fleet worker --pool ${pool}`;
      throw new CodexError("thread_not_found", message);
    } finally {
      clearTimeout(timer);
    }
    this.#open.set(threadId, thread);
    closing.signal.addEventListener("abort", () => {
      if (this.#open.get(threadId) === thread) this.#open.delete(threadId);
    });
    return thread;
  }
}

const defaultStartMs = 60_000;

/** Methods that need no look at the end of the log: they only send something. */
const sending: ReadonlySet<string> = new Set(["turn/start", "turn/steer", "turn/interrupt"]);

/** Leaves the folder to the worker if the client named none, or one without its beginning. */
function withoutOwnFolder(op: ConfigureSessionOp, own: string): ConfigureSessionOp {
  const { cwd, ...rest } = op;
  if (cwd === undefined) return op;
  const below = relative(own, cwd);
  if (below === "") return rest;
  return below.startsWith("..") ? op : { ...rest, cwd: below };
}
