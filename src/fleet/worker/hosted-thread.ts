import { setMaxListeners } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createDeferred } from "../../lib/async.js";
import { errorText } from "../../lib/errors.js";
import type { Broker, Lease } from "../broker.js";
import { monotonicClock } from "../monotonic-clock.js";
import { writeRollout } from "./claimed-log.js";
import { Departure } from "./departure.js";
import type { HostServices } from "./host-services.js";
import { LeaseLoop } from "./lease-loop.js";
import { ThreadAnswers } from "./thread-answers.js";
import { ThreadDirectory } from "./thread-directory.js";
import { ThreadEngine } from "./thread-engine.js";
import { ThreadInput } from "./thread-input.js";
import { ThreadLoading } from "./thread-loading.js";
import { countLease, measureLag } from "./thread-metrics.js";
import { type Owner, ThreadOutput } from "./thread-output.js";
import { ThreadView } from "./thread-view.js";
import type { Workspace } from "./workspace.js";

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
  readonly #input: ThreadInput;
  readonly #directory: ThreadDirectory;
  readonly #departure: Departure;
  readonly #stop = new AbortController();
  readonly #loaded = createDeferred<void>();
  readonly #ended = createDeferred<void>();
  readonly #folder: string;
  #engine: ThreadEngine | undefined;
  #workspace: Workspace | undefined;

  constructor(services: HostServices, { lease, takenAtMs }: TakenLease) {
    const { broker, worker, pool, parts, leaseMs, home, workspaces } = services;
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
      save: async () => this.#workspace?.save?.(),
      onFenced: (reason) => this.#fence(errorText(reason)),
    });
    this.#input = new ThreadInput({
      threadId,
      view: this.#view,
      output: this.#output,
      workspaces,
      submit: (submission, position) => this.#engine?.submit(submission, position),
      writeHistory: (lines) => writeRollout(this.#folder, threadId, lines),
      onTake: (submission) => measureLag(services, submission),
    });
    this.#directory = new ThreadDirectory(broker, this.#owner, pool, this.#view);
    this.#departure = new Departure({
      broker,
      pool,
      lease,
      loop: this.#loop,
      idleMs: services.idleMs,
      isIdle: () => this.#isIdle,
      mayStop: () => this.#mayStop,
      lastSeen: () => this.#input.lastSeen,
      close: (endsWork) => this.#close(endsWork),
      onStay: () => this.#onChange(),
      onGone: () => {
        countLease(services, "released");
        this.#ended.resolve();
      },
      onLost: (reason) => this.#fence(reason),
    });
  }

  /** True if it reads submissions; false if it is about to release its lease, or may have lost it. */
  get isReading(): boolean {
    return !this.#departure.isLeaving && !this.#stop.signal.aborted && this.#loop.isValid;
  }

  /** Resolves when its engine works on what was left of the thread, or it cannot be loaded. */
  get loaded(): Promise<void> {
    return this.#loaded.promise;
  }

  /** Loads and runs the thread; resolves when it is no longer here. */
  async run(): Promise<void> {
    try {
      await this.#load();
    } catch (error) {
      this.#fence(errorText(error));
    }
    this.#loaded.resolve();
    await this.#ended.promise;
    this.#stop.abort();
    this.#departure.end();
    this.#loop.end();
    this.#directory.end();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Ends it soon: at once if it is idle or may be handed over between two commands, else after its turn. */
  drain(mayHandOver: boolean): void {
    this.#departure.drain(mayHandOver);
    this.#onChange();
  }

  /** Leaves everything as a killed process would, except that its processes are ended. */
  abandon(): void {
    this.#fence("the worker was stopped");
  }

  async #load(): Promise<void> {
    const { broker } = this.#services;
    const { threadId } = this.#owner;
    const { signal } = this.#stop;
    setMaxListeners(0, signal);
    const loading = new ThreadLoading({
      services: this.#services,
      owner: this.#owner,
      lease: this.#lease,
      view: this.#view,
      input: this.#input,
      output: this.#output,
      folder: this.#folder,
      signal,
    });
    const workspace = await loading.claim();
    this.#workspace = workspace;
    await loading.read();
    signal.addEventListener("abort", () => workspace.release(), { once: true });
    const answers = new ThreadAnswers({
      view: this.#view,
      publish: (event) => this.#output.publish(event),
      submit: (id, op) => engine.submit({ id, op }),
    });
    const engine = this.#startEngine({ answers, workspace, loading });
    loading.configure(engine);
    await broker.answers.follow(threadId, (answer) => answers.onAnswer(answer), signal);
    this.#view.forgetEvents();
    void this.#follow(broker);
    this.#onChange();
  }

  #startEngine({ answers, workspace, loading }: StartedWith): ThreadEngine {
    const { broker, parts } = this.#services;
    const { threadId } = this.#owner;
    this.#engine = new ThreadEngine({
      threadId,
      parts: { ...parts, ...loading.origin },
      output: this.#output,
      answers,
      folder: this.#folder,
      mayRun: () => this.#loop.isValid && workspace.isHeld,
      isLoaded: this.#view.isConfigured,
      publishLive: (event) => broker.live.publish(threadId, event),
      onChange: () => this.#onChange(),
      onLoadFailure: (message) => loading.fail(message),
      onLockLost: () => this.#fence("another worker uses its folder"),
      onEnd: (error) => this.#fence(`the engine has ended: ${errorText(error)}`),
    });
    return this.#engine;
  }

  async #follow({ submissions }: Broker): Promise<void> {
    const { signal } = this.#stop;
    const { threadId } = this.#owner;
    try {
      for await (const submission of submissions.follow(threadId, this.#input.lastSeen, signal)) {
        if (signal.aborted || !(await this.#departure.stays())) break;
        this.#input.take(submission);
        this.#onChange();
      }
    } catch (error) {
      this.#fence(errorText(error));
    }
  }

  get #isIdle(): boolean {
    const view = this.#view;
    const isDone = this.#engine?.isDone === true && !this.#engine.hasAgentsAtWork;
    return isDone && view.turn === undefined && !view.isRunning;
  }

  get #mayStop(): boolean {
    // The beginning of a thread is one batch, so it is not handed over before.
    const isSetUp = this.#engine !== undefined && this.#input.first === undefined;
    return isSetUp && !this.#view.isRunning && !this.#engine?.hasAgentsAtWork;
  }

  #onChange(): void {
    if (this.#departure.isLeaving || this.#stop.signal.aborted) return;
    const { first } = this.#input;
    if (first !== undefined && !this.#engine?.isPending(first)) this.#input.configured();
    if (this.#isIdle) this.#view.readTo = this.#input.lastSeen;
    this.#directory.update();
    this.#departure.check();
  }

  /** Ends the engine and stores everything; nothing is added to the log afterwards. */
  async #close(endsWork: boolean): Promise<void> {
    if (endsWork) await this.#engine?.end();
    await this.#output.close();
    this.#output.fence();
    await this.#engine?.stop();
    // The end of the last command has stored everything, so a failure only costs the next owner a copy.
    await this.#workspace?.leave?.().catch(() => {});
    await this.#directory.settled();
  }

  /** Ends everything at once, the processes first; nothing is added to the log. */
  #fence(reason: string): void {
    if (this.#stop.signal.aborted) return;
    this.#output.fence();
    this.#stop.abort();
    this.#loop.end();
    countLease(this.#services, "lost");
    this.#departure.end();
    this.#services.report(`thread ${this.#owner.threadId} is no longer here: ${reason}`);
    void Promise.resolve(this.#engine?.stop()).finally(() => this.#ended.resolve());
  }
}

interface StartedWith {
  answers: ThreadAnswers;
  workspace: Workspace;
  loading: ThreadLoading;
}
