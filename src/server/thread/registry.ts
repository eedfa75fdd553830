import { realpath } from "node:fs/promises";
import type { AgentThread } from "../../agents/index.js";
import type { Config } from "../../config/index.js";
import { type AgentContext, createQueues, type EngineParts, runCodex } from "../../engine/index.js";
import { createDeferred } from "../../lib/async.js";
import { CodexError } from "../../protocol/error.js";
import type { ConfigureSessionOp, Event, SessionConfiguredEvent } from "../../protocol/types.js";
import type { RemoteEngine } from "./remote-engine.js";
import { Thread } from "./thread.js";

/** Runs threads in other processes. */
export interface RemoteThreads {
  /** Starts a thread, or finds the one that `resume_path` names by its id or by the name of a file. */
  start(op: ConfigureSessionOp, parts: EngineParts): Promise<OpenedThread>;
}

/** A thread of another process. */
export interface OpenedThread {
  /** The first event of the session. */
  readonly configured: SessionConfiguredEvent;
  /** The engine that runs the thread. */
  readonly engine: RemoteEngine;
  /** Passes on the events so far, resolves, and passes on later ones until the thread is closed. */
  follow(thread: Thread): Promise<void>;
}

/** The thread of a helper agent that clients follow. */
export interface FollowedAgent {
  /** The model closes it. */
  onClose(): void;
}

/** Options of `Threads`. The callbacks must not throw. */
export interface ThreadsOptions {
  parts: EngineParts;
  /** Called when a turn has ended with an answer, before the listeners of its thread. */
  onAnswer?: ((thread: Thread, turnId: string) => void) | undefined;
  /** Called with the number of live threads when one is added. */
  onThread?: ((live: number) => void) | undefined;
  /** Set if the threads run in other processes; `onRemote` is called before a thread receives events. */
  remote?: RemoteThreads | undefined;
  onRemote?: ((thread: Thread) => void) | undefined;
  /** Called when a helper agent has started; `root` is the thread of the user that it works for. */
  onAgent?: ((agent: Thread, root: Thread) => FollowedAgent) | undefined;
}

/** Registry of the live threads of a process, shared by all JSON-RPC surfaces. */
export class Threads {
  #parts: EngineParts;
  #live = new Map<string, Thread>();
  #starting = new Set<Promise<unknown>>();
  /** Threads that are being loaded, by the real paths of their files. */
  #loading = new Map<string, Promise<Thread>>();
  readonly #onAnswer: ThreadsOptions["onAnswer"];
  readonly #onThread: ThreadsOptions["onThread"];
  readonly #onAgent: ThreadsOptions["onAgent"];
  readonly #remote: ThreadsOptions["remote"];
  readonly #onRemote: ThreadsOptions["onRemote"];

  constructor(options: ThreadsOptions) {
    const { parts, onAnswer, onThread, onAgent } = options;
    this.#remote = options.remote;
    this.#onRemote = options.onRemote;
    this.#parts = parts;
    this.#onAnswer = onAnswer;
    this.#onThread = onThread;
    this.#onAgent = onAgent;
  }

  /** Returns a live thread; throws `thread_not_found`. */
  get(id: string): Thread {
    const thread = this.find(id);
    if (thread !== undefined) return thread;
    throw new CodexError("thread_not_found", `conversation not found: ${id}`, { data: { id } });
  }

  /** Returns a live thread, if there is one with this id. */
  find(id: string): Thread | undefined {
    return this.#live.get(id.toLowerCase());
  }

  /** Ids of the live threads, in the order they were loaded. */
  get ids(): string[] {
    return [...this.#live.keys()];
  }

  /** All live threads. */
  all(): Thread[] {
    return [...this.#live.values()];
  }

  /** The helper agents that work for a thread of the user. */
  agentsOf(rootId: string): Thread[] {
    return this.all().filter(
      ({ id, agent }) => agent?.tree.root.threadId === rootId && id !== rootId,
    );
  }

  /**
   * Passes the events of the helper agents of a thread to a listener, also of those that start later.
   *
   * Returns a function that ends it.
   */
  followAgents(root: Thread, onEvent: (event: Event, agent: Thread) => void): () => void {
    const stops: (() => void)[] = [];
    const follow = (agent: Thread) => void stops.push(agent.subscribe({ onEvent }));
    for (const agent of this.agentsOf(root.id)) follow(agent);
    root.agentListeners.add(follow);
    return () => {
      root.agentListeners.delete(follow);
      for (const stop of stops) stop();
    };
  }

  /**
   * Returns the thread of a recorded conversation; resumes it from its file if it is not live.
   *
   * Concurrent calls for one file return the same thread.
   */
  async load(
    path: string,
    op: Omit<ConfigureSessionOp, "type" | "resume_path">,
    parts: Partial<EngineParts> = {},
  ): Promise<Thread> {
    const file = await realpath(path).catch(() => path);
    const loading = this.#loading.get(file) ?? this.#load(file, op, parts);
    this.#loading.set(file, loading);
    try {
      return await loading;
    } finally {
      this.#loading.delete(file);
    }
  }

  /**
   * Starts a thread, or resumes a recorded one; throws if the engine rejects the settings.
   *
   * A conversation has one thread at a time: a live one is ended first, and the new one takes its
   * listeners.
   */
  async start(
    op: Omit<ConfigureSessionOp, "type">,
    parts: Partial<EngineParts> = {},
  ): Promise<Thread> {
    const all: EngineParts = { ...this.#parts, ...parts };
    all.startAgent = (childOp, agent, onEvent) =>
      this.#startAgent(childOp, { ...all, agent }, onEvent);
    const starting = this.#start({ type: "configure_session", ...op }, all);
    this.#starting.add(starting);
    try {
      return await starting;
    } finally {
      this.#starting.delete(starting);
    }
  }

  /** Ends all threads. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#starting);
    await Promise.all([...this.#live.values()].map((thread) => thread.close()));
  }

  /** Starts a helper agent as a thread, which the clients of its root follow. */
  async #startAgent(
    op: ConfigureSessionOp,
    parts: EngineParts & { agent: AgentContext },
    onEvent: (event: Event) => void,
  ): Promise<AgentThread> {
    const thread = await this.start(op, parts);
    thread.agent = parts.agent;
    const root = this.find(parts.agent.tree.root.threadId);
    const followed = root === undefined ? undefined : this.#onAgent?.(thread, root);
    thread.subscribe({ onEvent: (event) => onEvent(event) });
    for (const listener of root?.agentListeners ?? []) listener(thread);
    return {
      // While the server closes, an agent may have ended before its parent.
      submit: (next) => void (thread.isOpen && thread.submit(next)),
      async close(options) {
        if (options?.isAsked === true) followed?.onClose();
        await thread.close({ quietly: true });
      },
    };
  }

  async #load(
    path: string,
    op: Omit<ConfigureSessionOp, "type" | "resume_path">,
    parts: Partial<EngineParts>,
  ): Promise<Thread> {
    const live = await this.#findByPath(path);
    return live ?? this.start({ ...op, resume_path: path }, parts);
  }

  async #start(op: ConfigureSessionOp, parts: EngineParts): Promise<Thread> {
    const thread = await this.#run(op, parts);
    thread.dynamicTools = op.dynamic_tools;
    this.#live.set(thread.id, thread);
    this.#onThread?.(this.#live.size);
    void thread.ended.then(() => {
      if (this.#live.get(thread.id) === thread) this.#live.delete(thread.id);
    });
    return thread;
  }

  async #run(op: ConfigureSessionOp, parts: EngineParts): Promise<Thread> {
    if (this.#remote !== undefined) return this.#runRemotely(op, parts, this.#remote);
    // An ephemeral resume works on a copy and does not replace the live thread.
    const path = op.ephemeral === true ? undefined : op.resume_path;
    const before = path === undefined ? undefined : await this.#findByPath(path);
    if (before === undefined) return run(op, parts, this.#onAnswer);
    this.#live.delete(before.id);
    await before.closeForReplacement();
    try {
      const thread = await run(op, parts, this.#onAnswer);
      thread.takeListeners(before);
      return thread;
    } catch (error) {
      before.removeListeners();
      throw error;
    }
  }

  async #runRemotely(
    op: ConfigureSessionOp,
    parts: EngineParts,
    remote: RemoteThreads,
  ): Promise<Thread> {
    const opened = await remote.start(op, parts);
    const { originator, source, clock, newId } = parts;
    const origin = { originator, source, loadedAtMs: clock.now(), newSubmissionId: newId };
    const thread = new Thread(opened.configured, opened.engine, origin, opened.engine);
    this.#onRemote?.(thread);
    await opened.follow(thread);
    return thread;
  }

  async #findByPath(path: string): Promise<Thread | undefined> {
    for (const thread of this.#live.values()) if (await thread.isStoredAt(path)) return thread;
    return undefined;
  }
}

/** Runs an engine for one thread; resolves when it is configured. */
async function run(
  op: ConfigureSessionOp,
  parts: EngineParts,
  onAnswer: ThreadsOptions["onAnswer"],
): Promise<Thread> {
  let thread: Thread | undefined;
  const queues = createQueues({ room: () => thread?.room() });
  const started = createDeferred<Thread>();
  queues.submissions.push({ id: "", op });
  let requirements: Config["requirements"];
  const running = runCodex(parts.wrapQueues?.(queues) ?? queues, {
    ...parts,
    async loadConfig(op) {
      const config = await parts.loadConfig(op);
      requirements = config.requirements;
      return config;
    },
  });
  running.catch(started.reject);
  void pump();
  return started.promise;

  async function pump(): Promise<void> {
    for await (const event of queues.events) {
      if (thread !== undefined) {
        const { msg, turn_id } = event;
        const isAnswered = msg.type === "task_complete" && msg.last_agent_message != null;
        if (isAnswered && turn_id !== undefined) onAnswer?.(thread, turn_id);
        thread.receive(event);
      } else if (event.msg.type === "session_configured") {
        const { originator, source, clock, era, newId } = parts;
        const newSubmissionId = era.rpc.v1Form === "2025" ? undefined : newId;
        const loadedAtMs = clock.now();
        const origin = { originator, source, loadedAtMs, newSubmissionId, requirements };
        thread = new Thread(event.msg, queues, origin);
        started.resolve(thread);
      } else {
        refuse(event);
      }
    }
    await running.catch(() => undefined);
    thread?.finish();
  }

  /** Rejects the start and ends the engine: it has no session. */
  function refuse({ msg }: Event): void {
    queues.submissions.close();
    const message = msg.type === "error" ? msg.message : `The thread did not start: ${msg.type}`;
    started.reject(new CodexError("config", message));
  }
}
