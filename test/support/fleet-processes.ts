import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Broker, openBroker } from "../../src/fleet/index.js";
import { createUuidSource } from "../../src/lib/ids.js";
import {
  listenScriptedModel,
  type ScriptedServer,
  type Step,
  scriptedConfig,
} from "../../src/model/scripted/index.js";
import type { Event, Op } from "../../src/protocol/types.js";
import { quireCommand } from "./bin.js";

/** A process of a fleet. */
export interface FleetProcess {
  name: string;
  child: ChildProcess;
  /** Resolves with the exit code, or with the signal that ended it. */
  exit: Promise<number | string | null>;
  output(): string;
}

/** Steps of the answer to a request with these items. */
export type AnswerTo = (input: readonly { call_id?: string; content?: unknown }[]) => Step[];

/** Processes of a fleet, which share a model that answers from the conversation alone, and a workspace. */
export class FleetProcesses implements AsyncDisposable {
  readonly root = mkdtempSync(join(tmpdir(), "quire-fleet-"));
  readonly workspace = join(this.root, "workspaces");
  /** Folder with the output of each process, by name. */
  readonly logs = join(this.root, "logs");
  readonly newId = createUuidSource(Date.now);
  readonly #model: ScriptedServer;
  readonly #processes = new Set<FleetProcess>();
  readonly #env: Readonly<Record<string, string>>;

  private constructor(model: ScriptedServer, env: Readonly<Record<string, string>>) {
    this.#model = model;
    this.#env = env;
    mkdirSync(this.workspace);
    mkdirSync(this.logs);
  }

  /** Starts the model; `env` is for all processes. */
  static async start(
    answer: AnswerTo,
    env: Readonly<Record<string, string>> = {},
  ): Promise<FleetProcesses> {
    const model = await listenScriptedModel({
      script: [],
      record: false,
      answer: ({ input }) => answer(input as Parameters<AnswerTo>[0]),
    });
    return new FleetProcesses(model, env);
  }

  /** Starts `quire fleet VERB` and waits for a line with a word. */
  async spawn(name: string, args: readonly string[], word: string): Promise<FleetProcess> {
    const home = join(this.root, name);
    mkdirSync(home, { recursive: true });
    const settings = 'approval_policy = "on-request"\nsandbox_mode = "workspace-write"';
    const config = scriptedConfig({ baseUrl: this.#model.baseUrl, settings });
    writeFileSync(join(home, "config.toml"), config);
    const child = spawn(...quireCommand(["fleet", ...args]), {
      cwd: this.root,
      env: { PATH: process.env.PATH, HOME: home, CODEX_HOME: home, ...this.#env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const lines: string[] = [];
    const log = (text: string) =>
      appendFileSync(join(this.logs, `${name}.log`), `${new Date().toISOString()} ${text}\n`);
    log(`process ${child.pid}: quire fleet ${args.join(" ")}`);
    const exit = once(child, "exit").then(([code, signal]) => {
      log(`process ${child.pid} has ended with ${code ?? signal}`);
      return code ?? signal;
    });
    const started = { name, child, exit, output: () => lines.join("\n") };
    this.#processes.add(started);
    void exit.then(() => this.#processes.delete(started));
    const ready = new Promise<void>((resolve) => {
      for (const stream of [child.stdout, child.stderr]) {
        if (stream === null) continue;
        createInterface({ input: stream }).on("line", (line) => {
          lines.push(line);
          log(line);
          if (line.includes(word)) resolve();
        });
      }
    });
    const ended = exit.then((code) => {
      throw new Error(`${name} has ended with ${code}: ${lines.join("\n")}`);
    });
    ended.catch(() => {});
    await Promise.race([ready, ended]);
    return started;
  }

  worker(
    name: string,
    { nats, pool, lease }: { nats: string; pool: string; lease: number },
    more: readonly string[] = [],
  ): Promise<FleetProcess> {
    const args = ["worker", "--nats", nats, "--pool", pool, "--workspace-root", this.workspace];
    return this.spawn(name, [...args, "--name", name, "--lease", String(lease), ...more], "ready");
  }

  /** Starts a gateway; returns it with its address. */
  async gateway(
    name: string,
    { nats, pool }: { nats: string; pool: string },
    more: readonly string[] = [],
  ) {
    const args = ["gateway", "--nats", nats, "--pool", pool, "--listen", "ws://127.0.0.1:0"];
    const started = await this.spawn(name, [...args, ...more], "listening on");
    return { ...started, url: /listening on (\S+)/.exec(started.output())?.[1] ?? "" };
  }

  /** Creates a folder for a thread. */
  newFolder(): string {
    const folder = join(this.workspace, this.newId());
    mkdirSync(folder);
    return folder;
  }

  /** Number of times that a command of a thread has run. */
  timesRun(threadId: string, name: string): number {
    const path = join(this.workspace, threadId, `ran-${name}`);
    return existsSync(path) ? readFileSync(path, "utf8").length : 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { child } of this.#processes) child.kill("SIGKILL");
    for (const { exit } of this.#processes) await exit;
    await this.#model.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** A client of a fleet, directly on its broker. */
export class FleetClient implements AsyncDisposable {
  readonly broker: Broker;
  readonly #fleet: FleetProcesses;
  readonly #pool: string;

  private constructor(broker: Broker, fleet: FleetProcesses, pool: string) {
    this.broker = broker;
    this.#fleet = fleet;
    this.#pool = pool;
  }

  static async connect(url: string, fleet: FleetProcesses, pool: string): Promise<FleetClient> {
    return new FleetClient(await openBroker(url), fleet, pool);
  }

  /** Starts a thread in a folder of its own; returns its id. */
  async startThread(): Promise<string> {
    const threadId = this.#fleet.newId();
    const cwd = join(this.#fleet.workspace, threadId);
    mkdirSync(cwd);
    await this.submit(threadId, { type: "configure_session", cwd });
    return threadId;
  }

  /** Submits an op until it is durable, whatever the broker does; returns its id. */
  async submit(threadId: string, op: Op, id = this.#fleet.newId()): Promise<string> {
    await retried(() => this.broker.submissions.put(threadId, { id, op }));
    await retried(() => this.broker.wakes.wake(this.#pool, threadId));
    return id;
  }

  say(threadId: string, text: string): Promise<string> {
    return this.submit(threadId, { type: "user_turn", items: [{ type: "text", text }] });
  }

  async events(threadId: string): Promise<{ epoch: number; seq: number; event: Event }[]> {
    return retried(async () => {
      const events: { epoch: number; seq: number; event: Event }[] = [];
      for await (const { epoch, entries } of this.broker.log.read(threadId, 0)) {
        for (const entry of entries) if ("event" in entry) events.push({ epoch, ...entry });
      }
      return events;
    });
  }

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

  untilEnd(threadId: string, turnId: string): Promise<Event> {
    return this.until(
      threadId,
      ({ id, msg }) =>
        id === turnId && (msg.type === "task_complete" || msg.type === "turn_aborted"),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.broker.close();
  }
}

async function retried<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "UnreachableError") throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
