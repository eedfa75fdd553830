import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EngineParts } from "../../../src/engine/index.js";
import { createLocalParts } from "../../../src/engine/local/parts.js";
import type { At, Broker, LogBatch } from "../../../src/fleet/index.js";
import { type MemoryBroker, MemoryStore } from "../../../src/fleet/memory/index.js";
import { FleetWorker, Workspaces } from "../../../src/fleet/worker/index.js";
import { createUuidSource } from "../../../src/lib/ids.js";
import { type Step, scriptedClient } from "../../../src/model/scripted/index.js";
import type { Prompt } from "../../../src/model/types.js";
import type { ConfigureSessionOp, Event, EventMsg, Op } from "../../../src/protocol/types.js";
import { testConfig } from "../../support/test-config.js";

/** Answers a request of the model from the conversation alone. */
export type Answer = (prompt: Prompt) => Step[];

/** A worker of a test, with its own connection to the broker. */
export interface TestWorker {
  name: string;
  worker: FleetWorker;
  broker: MemoryBroker;
  prompts: Prompt[];
}

export interface FleetOptions {
  answer: Answer;
  leaseMs?: number;
  idleMs?: number;
  maxThreads?: number;
  sweepMs?: number;
  workspaces?: Workspaces;
  /** Called before the config of a thread is loaded. */
  onLoadConfig?(): Promise<void>;
  config?: Record<string, unknown>;
}

/** A fleet in this process: workers on a broker in memory, and a workspace that they share. */
export class TestFleet implements AsyncDisposable {
  readonly store = new MemoryStore();
  /** Connection of the client. */
  readonly broker: Broker = this.store.connect();
  readonly root: string;
  readonly workspace: string;
  readonly workers: TestWorker[] = [];
  readonly #options: FleetOptions;
  readonly #newId = createUuidSource(Date.now);

  private constructor(root: string, options: FleetOptions) {
    this.root = root;
    this.workspace = join(root, "workspaces");
    mkdirSync(this.workspace);
    this.#options = options;
  }

  static async start(options: FleetOptions): Promise<TestFleet> {
    return new TestFleet(await mkdtemp(join(tmpdir(), "quire-fleet-")), options);
  }

  async addWorker(name: string, options: Partial<FleetOptions> = {}): Promise<TestWorker> {
    const {
      answer,
      leaseMs = 1_000,
      idleMs = 5_000,
      maxThreads = 100,
      sweepMs = 60_000,
      onLoadConfig,
      workspaces = new Workspaces(this.workspace),
      config,
    } = {
      ...this.#options,
      ...options,
    };
    const home = join(this.root, name);
    mkdirSync(home, { recursive: true });
    const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: home };
    const local = createLocalParts({ env, cwd: this.workspace, surface: "json-rpc" });
    const prompts: Prompt[] = [];
    const parts: EngineParts = {
      ...local,
      async loadConfig(op) {
        await onLoadConfig?.();
        return local.loadConfig({ ...op, config: { ...testConfig, ...config, ...op.config } });
      },
      createModel: async () => ({
        stream(prompt, signal) {
          prompts.push({ ...prompt, input: [...prompt.input] });
          return scriptedClient([answer(prompt)]).stream(prompt, signal);
        },
        close() {},
      }),
    };
    const broker = this.store.connect();
    const worker = new FleetWorker({
      broker,
      worker: name,
      pool: "main",
      parts,
      workspaces,
      home: join(home, "fleet", name),
      leaseMs,
      idleMs,
      maxThreads,
      sweepMs,
      report() {},
    });
    await worker.start();
    const added = { name, worker, broker, prompts };
    this.workers.push(added);
    return added;
  }

  /** Ends a worker without any cleanup of its leases. */
  async kill({ worker, broker }: TestWorker): Promise<void> {
    await broker.close();
    await worker.abandon();
  }

  async startThread(
    op: Partial<Omit<ConfigureSessionOp, "cwd">> & { cwd?: string | undefined } = {},
  ): Promise<string> {
    const threadId = this.#newId();
    const own = join(this.workspace, threadId);
    mkdirSync(own);
    const { cwd, ...rest } = { cwd: own, ...op };
    const folder = cwd === undefined ? {} : { cwd };
    await this.submit(threadId, { type: "configure_session", ...folder, ...rest });
    return threadId;
  }

  /** Submits an op as a gateway does; returns its id. */
  async submit(threadId: string, op: Op, id = this.#newId()): Promise<string> {
    await this.broker.submissions.put(threadId, { id, op });
    await this.broker.wakes.wake("main", threadId);
    return id;
  }

  async say(threadId: string, text: string): Promise<string> {
    return this.submit(threadId, { type: "user_turn", items: [{ type: "text", text }] });
  }

  async batches(threadId: string): Promise<At<LogBatch>[]> {
    const batches: At<LogBatch>[] = [];
    for await (const batch of this.broker.log.read(threadId, 0)) batches.push(batch);
    return batches;
  }

  async events(threadId: string): Promise<Event[]> {
    return (await this.batches(threadId)).flatMap(({ entries }) =>
      entries.flatMap((entry) => ("event" in entry ? [entry.event] : [])),
    );
  }

  async messages(threadId: string): Promise<EventMsg[]> {
    return (await this.events(threadId)).map(({ msg }) => msg);
  }

  /** Waits until the log has an event. */
  async until(threadId: string, isMet: (event: Event) => boolean): Promise<Event> {
    const stop = new AbortController();
    try {
      for await (const { entries } of this.broker.log.follow(threadId, 0, stop.signal)) {
        for (const entry of entries) {
          if ("event" in entry && isMet(entry.event)) return entry.event;
        }
      }
    } finally {
      stop.abort();
    }
    throw new Error("The log has ended");
  }

  untilType(threadId: string, type: EventMsg["type"]): Promise<Event> {
    return this.until(threadId, ({ msg }) => msg.type === type);
  }

  untilEnd(threadId: string, turnId: string): Promise<Event> {
    return this.until(
      threadId,
      ({ id, msg }) =>
        id === turnId && (msg.type === "task_complete" || msg.type === "turn_aborted"),
    );
  }

  /** Waits for a condition that no event announces. */
  async when(isMet: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await isMet())) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  /** Number of times that a command of a thread has run. */
  timesRun(threadId: string, name: string): number {
    const path = join(this.workspace, threadId, `ran-${name}`);
    return existsSync(path) ? readFileSync(path, "utf8").length : 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const worker of this.workers) await this.kill(worker);
    await this.broker.close();
    await rm(this.root, { recursive: true, force: true });
  }
}

/** A model that makes the calls that a conversation lacks, one after the other, and then says "Done.". */
export function makesCalls(...calls: (Step & { call_id: string })[]): Answer {
  return ({ input }) => {
    const known = new Set(input.map((item) => ("call_id" in item ? item.call_id : "")));
    const next = calls.find(({ call_id }) => !known.has(call_id));
    return next === undefined ? [{ message: "Done." }] : [next];
  };
}

/** A call of a command that counts its runs on disk; it waits until a file is there. */
export function counts(id: string, { until }: { until?: string } = {}) {
  const wait = until === undefined ? "" : `; while [ ! -e ${until} ]; do sleep 0.02; done`;
  const command = `printf x >> ran-${id}${wait}`;
  return { call: "shell_command", args: { command }, call_id: id };
}
