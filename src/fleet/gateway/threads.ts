import { setMaxListeners } from "node:events";
import { basename, relative } from "node:path";
import type { RpcRequest } from "../../jsonrpc/index.js";
import { CodexError } from "../../protocol/error.js";
import type { ConfigureSessionOp } from "../../protocol/types.js";
import {
  isUuid,
  type ListOptions,
  parseRolloutFileName,
  setThreadName,
  type ThreadPage,
} from "../../rollout/index.js";
import type { EngineParts, Fleet, OpenedThread, Server, Thread } from "../../server/index.js";
import type { StartedTelemetry } from "../../telemetry/index.js";
import type { Broker, ThreadMark } from "../broker.js";
import { poolOf } from "../pool-of.js";
import { untilReached } from "../until-reached.js";
import { RolloutCopy } from "./copy.js";
import { ThreadDirectory } from "./directory.js";
import { readFork } from "./fork.js";
import { assertOffered, threadIdOf } from "./methods.js";
import { RemoteThread } from "./remote-thread.js";
import { Sender } from "./sender.js";
import { ThreadMarks } from "./thread-marks.js";

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
  /** Telemetry of the gateway, if it is on. */
  telemetry?: StartedTelemetry | undefined;
}

/** The threads of a fleet, as a server without engines offers them. */
export class GatewayThreads implements Fleet {
  readonly #options: GatewayThreadsOptions;
  readonly #directory: ThreadDirectory;
  readonly #open = new Map<string, RemoteThread>();
  readonly #marks: ThreadMarks;
  #server: Server | undefined;

  constructor(options: GatewayThreadsOptions) {
    this.#options = options;
    this.#marks = new ThreadMarks(options.broker, (id, kind) => void this.#onMark(id, kind));
    this.#directory = new ThreadDirectory(options.broker, this.#marks);
  }

  async list(options: ListOptions): Promise<ThreadPage> {
    await this.#marks.ready();
    return this.#directory.list(options);
  }

  async archive(threadId: string): Promise<void> {
    await this.#assertExists(threadId);
    const live = this.#server?.threads.find(threadId);
    if (live?.isBusy) live.submit({ type: "interrupt" });
    await this.#mark(threadId, "archived");
  }

  async unarchive(threadId: string): Promise<Thread> {
    if (this.#marks.kindOf(threadId) !== "archived" || this.#server === undefined) {
      throw new CodexError("not_found", `no archived rollout found for thread id ${threadId}`);
    }
    await this.#marks.remove(threadId);
    await this.#load(threadId, this.#server);
    return this.#server.threads.get(threadId);
  }

  async remove(threadId: string): Promise<void> {
    await this.#assertExists(threadId);
    await this.#mark(threadId, "deleted");
  }

  /** Loads the thread of a request, and reads its log up to the end. */
  prepare(
    { method, params }: Pick<RpcRequest, "method" | "params">,
    server: Server,
  ): Promise<void> | undefined {
    assertOffered(method);
    this.#server = server;
    if (!this.#marks.isReady) {
      return this.#marks.ready().then(() => this.#prepareThread(method, params, server));
    }
    return this.#prepareThread(method, params, server);
  }

  #prepareThread(method: string, params: unknown, server: Server): Promise<void> | undefined {
    const threadId = threadIdOf(params);
    if (threadId === undefined || !isUuid(threadId) || method === "thread/unarchive") {
      return undefined;
    }
    if (this.#marks.kindOf(threadId) === "archived" && !ofArchived.has(method)) {
      throw new CodexError(
        "invalid_request",
        `session ${threadId} is archived. Unarchive it with \`thread/unarchive\` first.`,
      );
    }
    const isLive = server.threads.find(threadId) !== undefined;
    if (isLive && sending.has(method)) return undefined;
    return this.#load(threadId, server);
  }

  async start(op: ConfigureSessionOp, parts: EngineParts): Promise<OpenedThread> {
    const { resume_path } = op;
    const fork = await readFork(op);
    if (resume_path !== undefined && fork === undefined) return this.#resume(resume_path, parts);
    const threadId = fork?.threadId ?? parts.newId();
    const thread = await this.#connect(threadId, this.#options.pool, parts);
    const { originator, source } = parts;
    const submission = {
      id: parts.newId(),
      op: withoutOwnFolder(fork?.op ?? op, parts.cwd),
      ...(fork === undefined ? {} : { history: fork.history }),
      headers: { originator, source, pool: this.#options.pool },
    };
    await thread.sender.put(submission);
    return this.#opened(thread, threadId);
  }

  async #mark(threadId: string, kind: ThreadMark["kind"]): Promise<void> {
    await this.#marks.put({ threadId, kind, atMs: Date.now() });
    await this.#server?.threads.find(threadId)?.close({ quietly: true });
  }

  /** Follows the decision of a client of another gateway, or of a worker. */
  async #onMark(threadId: string, kind: ThreadMark["kind"] | undefined): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    if (kind !== undefined) await server.threads.find(threadId)?.close({ quietly: true });
    const method = kind === undefined ? "thread/unarchived" : (`thread/${kind}` as const);
    server.notifyAll(method, { threadId });
  }

  async #assertExists(threadId: string): Promise<void> {
    if (await this.#exists(threadId)) return;
    throw new CodexError("not_found", `no rollout found for thread id ${threadId}`);
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
    if (this.#marks.kindOf(threadId) === "deleted") return false;
    if ((await untilReached(() => log.head(threadId))) > 0) return true;
    return (await untilReached(() => submissions.head(threadId))) > 0;
  }

  async #resume(path: string, parts: EngineParts): Promise<OpenedThread> {
    const threadId = isUuid(path) ? path : parseRolloutFileName(basename(path))?.id;
    if (threadId === undefined || !(await this.#exists(threadId))) {
      throw new CodexError("thread_not_found", `The fleet has no thread ${threadId ?? path}`);
    }
    const { broker, pool } = this.#options;
    const entry = await untilReached(() => broker.directory.get(threadId));
    const known = await untilReached(() => poolOf(broker, threadId, entry));
    return this.#opened(await this.#connect(threadId, known ?? pool, parts), threadId);
  }

  async #connect(threadId: string, pool: string, { clock }: EngineParts) {
    const { broker, gateway, home, telemetry } = this.#options;
    const closing = new AbortController();
    setMaxListeners(0, closing.signal); // each submission on its way has one
    const sender = new Sender({
      broker,
      threadId,
      pool,
      gateway,
      now: () => clock.now(),
      telemetry,
      signal: closing.signal,
    });
    const thread = new RemoteThread({
      broker,
      threadId,
      clock,
      sender,
      createCopy: (startedAt) => new RolloutCopy(home, threadId, startedAt),
      onName: (name) => setThreadName(home, threadId, { name, now: clock.now() }),
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

/** Methods that an archived thread has. */
const ofArchived: ReadonlySet<string> = new Set([
  "thread/read",
  "thread/turns/list",
  "thread/items/list",
  "thread/delete",
]);

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
