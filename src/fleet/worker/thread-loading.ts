import type { EngineParts } from "../../engine/index.js";
import { errorText } from "../../lib/errors.js";
import type { ConfigureSessionOp, RolloutLine } from "../../protocol/types.js";
import { isPersistedEvent, toPersistedEvent } from "../../rollout/index.js";
import type { At, Lease, SentSubmission } from "../broker.js";
import { untilReached } from "../until-reached.js";
import { claimLog, endsOfLost, writeRollout } from "./claimed-log.js";
import type { HostServices } from "./host-services.js";
import { continuation, loadId, loadOp, readSubmissions } from "./load.js";
import type { ThreadEngine } from "./thread-engine.js";
import type { ThreadInput } from "./thread-input.js";
import type { Owner, ThreadOutput } from "./thread-output.js";
import type { OpenTurn, ThreadView } from "./thread-view.js";
import type { Workspace } from "./workspace.js";

/** A thread whose lease was taken. */
export interface LoadingOptions {
  services: HostServices;
  owner: Owner;
  lease: Lease;
  view: ThreadView;
  input: ThreadInput;
  output: ThreadOutput;
  /** Folder of the thread's rollout file. */
  folder: string;
  /** Aborts when the thread is no longer here. */
  signal: AbortSignal;
}

/** Loads a thread at this worker: its engine continues where the log ends. */
export class ThreadLoading {
  readonly #options: LoadingOptions;
  readonly #lines: RolloutLine[] = [];
  /** Submissions that are there. */
  #known: At<SentSubmission>[] = [];
  /** The turn that a lost worker has left. */
  #turn: OpenTurn | undefined;

  constructor(options: LoadingOptions) {
    this.#options = options;
  }

  /** Claims the log and opens the folder; from then on no earlier owner changes either. */
  async claim(): Promise<Workspace> {
    const { services, owner, lease, view, signal } = this.#options;
    // Both are long ways to the broker, and independent: the submissions are only read.
    const [, known] = await Promise.all([
      this.#reached(() => claimLog(services.broker, owner, { view, lines: this.#lines })),
      this.#readKnown(),
    ]);
    this.#known = known;
    signal.throwIfAborted();
    if (owner.epoch > lease.epoch) lease.raise(owner.epoch);
    return services.workspaces.open(owner.threadId, owner.epoch);
  }

  /** Ends what ran when the worker before was lost, and finds the turn that it has left. */
  async read(): Promise<void> {
    const { view, signal } = this.#options;
    this.#lines.push(...this.#endLost());
    this.#turn = view.turn;
    // The worker before may have started a turn after they were read.
    const isRead = this.#known.some(({ id }) => id === this.#turn?.submissionId);
    if (this.#turn !== undefined && !isRead) this.#known = await this.#readKnown();
    signal.throwIfAborted();
  }

  #readKnown(): Promise<At<SentSubmission>[]> {
    const { services, owner, signal } = this.#options;
    return this.#reached(() => readSubmissions(services.broker, owner.threadId, signal));
  }

  /** The program that has started the thread, and its kind, as the gateway sent them. */
  get origin(): Partial<Pick<EngineParts, "originator" | "source">> {
    const { originator, source } = this.#known[0]?.headers ?? {};
    return {
      ...(originator === undefined ? {} : { originator }),
      ...(source === undefined ? {} : { source }),
    };
  }

  /** Configures the engine of a new thread, or resumes the thread and its turn; then passes on what is new. */
  configure(engine: ThreadEngine): void {
    const { input, view } = this.#options;
    const [first] = this.#known;
    if (first?.op.type === "configure_session") {
      if (view.isConfigured) this.#resume(engine, first.op);
      else input.startWith(first);
    }
    for (const submission of this.#known) input.take(submission);
  }

  /** Refuses the work of a thread that cannot be loaded here. */
  fail(message: string): void {
    const { services, owner, input } = this.#options;
    services.report(`thread ${owner.threadId} cannot be loaded: ${message}`);
    input.fail(message);
  }

  #resume(engine: ThreadEngine, first: ConfigureSessionOp): void {
    const { services, owner, view, folder } = this.#options;
    const path = writeRollout(folder, owner.threadId, this.#lines);
    try {
      const op = loadOp(first, view, path);
      engine.submit({ id: loadId, op: services.workspaces.withFolder(owner.threadId, op) });
      const turn = this.#turn;
      if (turn !== undefined) engine.submit(continuation(turn, this.#known, view.applied));
    } catch (error) {
      this.fail(errorText(error)); // its folder is gone
    }
  }

  /** Reports and logs the ends of what ran when the worker before was lost; returns the lines of the log. */
  #endLost(): RolloutLine[] {
    const { services, owner, view, output } = this.#options;
    const lines: RolloutLine[] = [];
    for (const event of endsOfLost(view, owner.threadId)) {
      const { msg, item_id } = event;
      if (isPersistedEvent(msg, services.parts.era.engine)) {
        const payload = { ...toPersistedEvent(msg), ...(item_id === undefined ? {} : { item_id }) };
        lines.push(output.append({ type: "event_msg", payload }));
      }
      output.publish(event);
    }
    return lines;
  }

  /** Repeats a call while the broker cannot be reached and the lease is held. */
  #reached<Result>(call: () => Promise<Result>): Promise<Result> {
    return untilReached(call, { signal: this.#options.signal, maxPauseMs: 100 });
  }
}
