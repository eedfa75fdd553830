import {
  createQueues,
  type EngineParts,
  runCodex,
  type SessionLog,
  type ToolBox,
} from "../../engine/index.js";
import type { Event, RolloutItem, Submission } from "../../protocol/types.js";
import { AgentsAtWork } from "./agents-at-work.js";
import { loadId } from "./load.js";
import type { ThreadAnswers } from "./thread-answers.js";
import type { ThreadOutput } from "./thread-output.js";

/** Parts of the engine of a thread. */
export interface ThreadEngineOptions {
  threadId: string;
  parts: EngineParts;
  output: ThreadOutput;
  answers: ThreadAnswers;
  /** Folder of the thread's rollout file. */
  folder: string;
  /** True if no other worker uses the folder of the thread's commands. */
  mayRun(): boolean;
  /** True if the thread was configured before. */
  isLoaded: boolean;
  /** Publishes an event that is not stored. */
  publishLive(event: Event): void;
  /** Called after each event and each submission that is applied. */
  onChange(): void;
  /** Called if the thread cannot be loaded here. */
  onLoadFailure(message: string): void;
  /** Called if the folder of the thread is used by another worker. */
  onLockLost(): void;
  /** Called when the engine has ended by itself. */
  onEnd(error: unknown): void;
}

/** The engine of a thread, between its submissions and its log on the broker. */
export class ThreadEngine {
  readonly #options: ThreadEngineOptions;
  readonly #queues = createQueues();
  /** Submissions that are not applied yet, and their positions; undefined for those of the worker itself. */
  readonly #pending = new Map<string, number | undefined>();
  readonly #tools = new Set<ToolBox>();
  readonly #agents: AgentsAtWork;
  readonly #running: Promise<void>;

  constructor(options: ThreadEngineOptions) {
    this.#options = options;
    this.#agents = new AgentsAtWork(() => options.onChange());
    this.#running = this.#run().catch((error: unknown) => options.onEnd(error));
  }

  /** True if all submissions are applied. */
  get isDone(): boolean {
    return this.#pending.size === 0;
  }

  /** True if a helper agent is at work. */
  get hasAgentsAtWork(): boolean {
    return !this.#agents.isEmpty;
  }

  /** Returns true if a submission is not applied yet. */
  isPending(id: string): boolean {
    return this.#pending.has(id);
  }

  /** Passes a submission to the engine; `position` is its place in the queue, if it is from there. */
  submit({ id, op, trace }: Submission, position?: number): void {
    this.#pending.set(id, position ?? this.#pending.get(id));
    this.#queues.submissions.push(trace === undefined ? { id, op } : { id, op, trace });
  }

  /** Ends it after its work; resolves when it has ended. */
  async end(): Promise<void> {
    this.#queues.submissions.close();
    await this.#running;
  }

  /** Ends its processes, and then the engine. */
  async stop(): Promise<void> {
    this.#queues.submissions.push({ id: "", op: { type: "shutdown" } });
    this.#queues.submissions.close();
    await Promise.allSettled([...this.#tools].map((tools) => tools.close()));
    await this.#running;
  }

  async #run(): Promise<void> {
    const { parts, threadId } = this.#options;
    const queues = {
      submissions: this.#queues.submissions,
      publish: (event: Event) => this.#publish(event),
      applied: (id: string) => this.#onApplied(id),
      end() {},
    };
    await runCodex(queues, {
      ...parts,
      threadId,
      createTools: (config, services) => {
        const tools = parts.createTools(config, services);
        this.#tools.add(tools);
        return tools;
      },
      ...this.#logs(),
    });
  }

  /** Logs of the thread also go to the broker; those of its helper agents are plain files. */
  #logs(): Pick<EngineParts, "openLog" | "resumeLog"> {
    const { parts, threadId, folder, output } = this.#options;
    return {
      openLog: (meta, options) => {
        if (meta.id !== threadId) return this.#agents.follow(meta.id, parts.openLog(meta, options));
        output.append({ type: "session_meta", payload: meta });
        return this.#shared(parts.openLog(meta, { ...options, home: folder }));
      },
      resumeLog: (conversation, options) => {
        const { id } = conversation;
        if (id !== threadId) return this.#agents.follow(id, parts.resumeLog(conversation, options));
        return this.#shared(parts.resumeLog(conversation, { ...options, home: folder }));
      },
    };
  }

  #shared(file: SessionLog): SessionLog {
    const { output, mayRun, onLockLost } = this.#options;
    return {
      path: file.path,
      append(item: RolloutItem) {
        file.append(item);
        output.append(item);
      },
      async settled() {
        await output.settled();
        if (mayRun()) return;
        onLockLost();
        throw new Error("The folder of the thread is used by another worker");
      },
      close: () => file.close(),
    };
  }

  #publish(event: Event): void {
    const { isLoaded, answers, publishLive, onLoadFailure, onChange } = this.#options;
    const { id, msg } = event;
    if (id === loadId) {
      if (msg.type === "error") onLoadFailure(msg.message);
    } else if (isLoaded && msg.type.startsWith("mcp_startup_")) publishLive(event);
    else answers.publish(event);
    onChange();
  }

  #onApplied(id: string): void {
    const position = this.#pending.get(id);
    this.#pending.delete(id);
    if (position !== undefined) this.#options.output.apply(position);
    this.#options.onChange();
  }
}
