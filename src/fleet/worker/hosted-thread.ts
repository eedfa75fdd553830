import { setMaxListeners } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { EngineParts } from "../../engine/index.js";
import { createDeferred } from "../../lib/async.js";
import { errorText } from "../../lib/errors.js";
import { endOfLost, OpenItems } from "../../protocol/lost-items.js";
import type { ConfigureSessionOp, Event, Op, RolloutLine } from "../../protocol/types.js";
import { rolloutPath } from "../../rollout/index.js";
import { type At, type Broker, FencedError, type Lease, type SentSubmission } from "../broker.js";
import { monotonicClock } from "../monotonic-clock.js";
import { LeaseLoop } from "./lease-loop.js";
import { continueOp, loadId, loadOp, readSubmissions } from "./load.js";
import { ThreadAnswers } from "./thread-answers.js";
import { ThreadDirectory } from "./thread-directory.js";
import { ThreadEngine } from "./thread-engine.js";
import { isUnreachable, type Owner, ThreadOutput } from "./thread-output.js";
import { ThreadView } from "./thread-view.js";
import type { Workspaces } from "./workspace.js";

/** Services of a worker for its threads. */
export interface HostServices {
  broker: Broker;
  worker: string;
  pool: string;
  parts: EngineParts;
  workspaces: Workspaces;
  /** Folder for the files of loaded threads. */
  home: string;
  leaseMs: number;
  /** A thread without work is unloaded after this time. */
  idleMs: number;
  report(message: string): void;
}

/** A lease that was taken, and the time at which it was asked for. */
export interface TakenLease {
  lease: Lease;
  takenAtMs: number;
}

/**
 * A thread on this worker, from the moment at which its lease was taken.
 *
 * It ends when the thread has no work, is handed over, or the lease is lost; in the last case nothing is added to the log
 * and its processes are ended first.
 */
export class HostedThread {
  readonly #services: HostServices;
  readonly #owner: Owner;
  readonly #lease: Lease;
  readonly #loop: LeaseLoop;
  readonly #view = new ThreadView();
  readonly #output: ThreadOutput;
  readonly #directory: ThreadDirectory;
  readonly #stop = new AbortController();
  readonly #ended = createDeferred<void>();
  readonly #folder: string;
  #engine: ThreadEngine | undefined;
  #lastSeen = 0;
  #isFollowing = false;
  /** Submission that configures the thread; until then nothing is logged. */
  #first: string | undefined;
  /** Submissions behind it. */
  #deferred: At<SentSubmission>[] = [];
  #loadFailure: string | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #isLeaving = false;
  #mayHandOver: boolean | undefined;

  constructor(services: HostServices, { lease, takenAtMs }: TakenLease) {
    const { broker, worker, pool, parts, leaseMs, home } = services;
    const { threadId, epoch } = lease;
    this.#services = services;
    this.#lease = lease;
    this.#owner = { threadId, epoch, worker };
    this.#folder = join(home, threadId);
    this.#loop = new LeaseLoop({
      lease,
      durationMs: leaseMs,
      clock: monotonicClock,
      takenAtMs,
      onLost: () => this.#fence("the lease is lost"),
    });
    this.#output = new ThreadOutput({
      broker,
      owner: this.#owner,
      view: this.#view,
      clock: parts.clock,
      mayWrite: () => this.#loop.isValid,
      onFenced: (reason) => this.#fence(errorText(reason)),
    });
    this.#directory = new ThreadDirectory(broker, this.#owner, pool, this.#view);
  }

  /** True if it looks at no further submissions: it is about to release its lease, or has lost it. */
  get isLeaving(): boolean {
    return this.#isLeaving || this.#stop.signal.aborted;
  }

  /** Loads and runs the thread; resolves when it is no longer here. */
  async run(): Promise<void> {
    try {
      await this.#load();
    } catch (error) {
      this.#fence(errorText(error));
    }
    await this.#ended.promise;
    this.#stop.abort();
    clearTimeout(this.#idleTimer);
    this.#loop.end();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Ends it soon: at once if it is idle or may be handed over between two commands, else after its turn. */
  drain(mayHandOver: boolean): void {
    this.#mayHandOver = mayHandOver;
    this.#onChange();
  }

  /** Leaves everything as a killed process would, except that its processes are ended. */
  abandon(): void {
    this.#fence("the worker was stopped");
  }

  async #load(): Promise<void> {
    const { broker, workspaces, parts } = this.#services;
    const { threadId, epoch } = this.#owner;
    const { signal } = this.#stop;
    setMaxListeners(0, signal);
    const lines: RolloutLine[] = [];
    await this.#retry(() => this.#claimLog(lines));
    signal.throwIfAborted();
    const lock = workspaces.lock(threadId, epoch);
    this.#endLost();
    const known = await this.#retry(() => readSubmissions(broker, threadId, signal));
    signal.throwIfAborted();
    signal.addEventListener("abort", () => lock.release(), { once: true });
    const view = this.#view;
    const isLoaded = view.isConfigured;
    const { turn } = view;
    const output = this.#output;
    const answers = new ThreadAnswers({
      view,
      publish: (event) => output.publish(event),
      submit: (id, op) => engine.submit(id, op),
    });
    const engine = new ThreadEngine({
      threadId,
      parts: { ...parts, ...originOf(known[0]) },
      output,
      answers,
      folder: this.#folder,
      mayRun: () => this.#loop.isValid && lock.isHeld,
      isLoaded,
      publishLive: (event) => broker.live.publish(threadId, event),
      onChange: () => this.#onChange(),
      onLoadFailure: (message) => this.#onLoadFailure(message),
      onLockLost: () => this.#fence("another worker uses its folder"),
      onEnd: (error) => this.#fence(`the engine has ended: ${errorText(error)}`),
    });
    this.#engine = engine;
    const first = known[0]?.op;
    if (isLoaded && first?.type === "configure_session") {
      engine.submit(loadId, loadOp(withRoot(first, workspaces.root), view, this.#write(lines)));
      if (turn !== undefined) {
        engine.submit(turn.submissionId, continueOp(turn, known, view.applied));
      }
    } else if (!isLoaded && first?.type === "configure_session") {
      // The beginning of a thread is one batch: a thread is configured, or it is not.
      output.hold();
      if (view.applied.has(known[0]?.position ?? 0)) this.#onConfigured();
      else this.#first = known[0]?.id;
    }
    for (const submission of known) this.#take(submission);
    await broker.answers.follow(threadId, (answer) => answers.onAnswer(answer), signal);
    view.forgetEvents();
    void this.#follow(broker);
    this.#onChange();
  }

  /** Reads the log and marks it as owned, so that no earlier owner can append to it. */
  async #claimLog(lines: RolloutLine[]): Promise<void> {
    const { broker } = this.#services;
    const { threadId, epoch, worker } = this.#owner;
    const view = this.#view;
    for (let attempt = 1; ; attempt++) {
      for await (const batch of broker.log.read(threadId, view.position)) {
        view.readBatch(batch, (line) => lines.push(line));
      }
      try {
        const batch = { epoch, worker, applied: [], entries: [] };
        view.position = await broker.log.append(threadId, batch, view.position);
        return;
      } catch (error) {
        // The owner before us has appended meanwhile.
        if (!(error instanceof FencedError) || attempt === 5) throw error;
      }
    }
  }

  /** Ends the commands and calls that ran when the worker before was lost, so that clients know of it at once. */
  #endLost(): void {
    const { turn, open } = this.#view;
    const ofTurn = new OpenItems();
    for (const msg of turn?.events ?? []) ofTurn.read(msg);
    const inTurn = new Set(ofTurn.all);
    for (const msg of open.all) {
      // The engine decides on the rest: it may make the call, or not.
      if (inTurn.has(msg) && !endsAtOnce.has(msg.type)) continue;
      const { msg: end, itemId } = endOfLost(msg);
      const place = inTurn.has(msg) ? { id: turn?.submissionId ?? "", turn_id: turn?.turnId } : {};
      this.#output.publish({
        id: "",
        ...place,
        msg: end,
        thread_id: this.#owner.threadId,
        ...(itemId === undefined ? {} : { item_id: itemId }),
      } as Event);
    }
  }

  /** Repeats a step while the broker cannot be reached and the lease is held. */
  async #retry<Result>(step: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await step();
      } catch (error) {
        if (!isUnreachable(error) || !this.#loop.isValid) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  /** Writes the rollout file that the engine resumes. */
  #write(lines: readonly RolloutLine[]): string {
    const [first] = lines;
    const begun = new Date(first?.timestamp ?? 0);
    const path = rolloutPath(this.#folder, begun, this.#owner.threadId);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    return path;
  }

  async #follow({ submissions }: Broker): Promise<void> {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    const { signal } = this.#stop;
    const { threadId } = this.#owner;
    try {
      for await (const submission of submissions.follow(threadId, this.#lastSeen, signal)) {
        if (signal.aborted || this.#isLeaving) break;
        this.#take(submission);
        this.#onChange();
      }
    } catch (error) {
      this.#fence(errorText(error));
    }
    this.#isFollowing = false;
  }

  #take(submission: At<SentSubmission>): void {
    const { id, position } = submission;
    this.#lastSeen = position;
    if (this.#view.applied.has(position)) return;
    if (this.#first !== undefined && this.#first !== id) {
      this.#deferred.push(submission);
      return;
    }
    const op = this.#checked(submission);
    if (op !== undefined) this.#engine?.submit(id, op, position);
  }

  /** Returns the op as this worker runs it; undefined if it was refused. */
  #checked({ id, op, position }: At<SentSubmission>): Op | undefined {
    const { workspaces } = this.#services;
    try {
      if (this.#loadFailure !== undefined) throw new Error(this.#loadFailure);
      if (op.type === "shutdown") {
        this.#output.apply(position);
        return undefined;
      }
      if ("cwd" in op && typeof op.cwd === "string") workspaces.check(op.cwd);
      if (op.type !== "configure_session") return op;
      if (op.resume_path !== undefined) {
        throw new Error("A thread of a fleet cannot resume a file; resume it by its id");
      }
      if (op.ephemeral === true) {
        throw new Error("A thread of a fleet is always stored; omit `ephemeral`");
      }
      return withRoot(op, workspaces.root);
    } catch (error) {
      this.#refuse(id, op, errorText(error));
      this.#output.apply(position);
      return undefined;
    }
  }

  /** Answers a submission that cannot be worked on; a turn starts and ends, as clients expect it. */
  #refuse(id: string, op: Op, message: string): void {
    const startsTurn = op.type === "user_turn" || op.type === "user_input";
    const place = { id, thread_id: this.#owner.threadId, ...(startsTurn ? { turn_id: id } : {}) };
    const output = this.#output;
    if (startsTurn) {
      output.publish({ ...place, msg: { type: "task_started", model_context_window: null } });
    }
    output.publish({ ...place, msg: { type: "error", message } });
    if (startsTurn) {
      output.publish({ ...place, msg: { type: "task_complete", last_agent_message: null } });
    }
  }

  #onLoadFailure(message: string): void {
    this.#loadFailure = message;
    this.#services.report(`thread ${this.#owner.threadId} cannot be loaded: ${message}`);
    const { turn } = this.#view;
    if (turn === undefined) return;
    const place = {
      id: turn.submissionId,
      turn_id: turn.turnId,
      thread_id: this.#owner.threadId,
    };
    this.#output.publish({ ...place, msg: { type: "error", message } });
    this.#output.publish({ ...place, msg: { type: "task_complete", last_agent_message: null } });
  }

  get #isIdle(): boolean {
    const view = this.#view;
    return this.#engine?.isDone === true && view.turn === undefined && !view.isRunning;
  }

  #onChange(): void {
    if (this.#isLeaving || this.#stop.signal.aborted) return;
    if (this.#first !== undefined && !this.#engine?.isPending(this.#first)) {
      this.#onConfigured();
    }
    this.#directory.update();
    const isDraining = this.#mayHandOver !== undefined;
    if (!this.#isIdle) {
      clearTimeout(this.#idleTimer);
      this.#idleTimer = undefined;
      if (this.#mayHandOver && !this.#view.isRunning && this.#engine) void this.#handOver();
      return;
    }
    if (this.#idleTimer !== undefined && !isDraining) return;
    clearTimeout(this.#idleTimer);
    const { idleMs } = this.#services;
    this.#idleTimer = setTimeout(() => void this.#unload(), isDraining ? 0 : idleMs);
  }

  /** Works on the submissions after the first one; if that has failed, they fail for the same reason. */
  #onConfigured(): void {
    const { isConfigured, lastError } = this.#view;
    this.#first = undefined;
    if (!isConfigured) this.#loadFailure = lastError ?? "The thread could not be configured";
    this.#output.release();
    for (const submission of this.#deferred.splice(0)) this.#take(submission);
  }

  /** Ends the engine and releases the lease, unless there is new work. */
  async #unload(): Promise<void> {
    this.#idleTimer = undefined;
    if (!this.#isIdle || this.#isLeaving) return;
    this.#isLeaving = true;
    const { broker } = this.#services;
    const { threadId } = this.#owner;
    try {
      if (!(await this.#loop.renew("closing"))) return this.#fence("the lease is lost");
      const head = await broker.submissions.head(threadId);
      const isNew = head > this.#lastSeen && this.#mayHandOver === undefined;
      if (isNew || !this.#isIdle) {
        this.#isLeaving = false;
        if (!(await this.#loop.renew("held"))) return this.#fence("the lease is lost");
        // The loop has ended if it saw a submission while the thread was leaving.
        void this.#follow(broker);
        return this.#onChange();
      }
      await this.#leave(() => this.#engine?.end(), head > this.#lastSeen);
    } catch (error) {
      if (!isUnreachable(error)) return this.#fence(errorText(error));
      this.#isLeaving = false;
      void this.#follow(broker);
      this.#onChange();
    }
  }

  /** Stops between two commands; another worker continues the turn. */
  async #handOver(): Promise<void> {
    this.#isLeaving = true;
    try {
      await this.#leave(() => undefined, true);
    } catch (error) {
      this.#fence(errorText(error));
    }
  }

  async #leave(end: () => Promise<void> | undefined, wakes: boolean): Promise<void> {
    const { broker, pool } = this.#services;
    await end();
    await this.#output.close();
    this.#output.fence();
    await this.#engine?.stop();
    await this.#directory.settled();
    this.#loop.end();
    // If the broker cannot be reached, the lease ends by itself and another worker looks after the thread.
    await this.#lease.release().catch(() => {});
    if (wakes) await broker.wakes.wake(pool, this.#owner.threadId).catch(() => {});
    this.#ended.resolve();
  }

  /** Ends everything at once, the processes first; nothing is added to the log. */
  #fence(reason: string): void {
    if (this.#stop.signal.aborted) return;
    this.#output.fence();
    this.#stop.abort();
    this.#loop.end();
    this.#services.report(`thread ${this.#owner.threadId} is no longer here: ${reason}`);
    void Promise.resolve(this.#engine?.stop()).finally(() => this.#ended.resolve());
  }
}

/** Beginnings of what is never started again. */
const endsAtOnce: ReadonlySet<string> = new Set(["exec_command_begin", "mcp_tool_call_begin"]);

/** The op with the workspace root as folder, if it names none. */
function withRoot(op: ConfigureSessionOp, root: string): ConfigureSessionOp {
  return op.cwd === undefined ? { ...op, cwd: root } : op;
}

/** Returns the program that has started a thread, and its kind, as the gateway sent them. */
function originOf(first: SentSubmission | undefined): Partial<EngineParts> {
  const { originator, source } = first?.headers ?? {};
  return {
    ...(originator === undefined ? {} : { originator }),
    ...(source === undefined ? {} : { source }),
  };
}
