import { createDeferred, type Deferred } from "../../lib/async.js";
import { errorText } from "../../lib/errors.js";
import { type Broker, type Lease, UnreachableError } from "../broker.js";
import type { LeaseLoop } from "./lease-loop.js";

/** Options of the departure of a thread. */
export interface DepartureOptions {
  broker: Broker;
  pool: string;
  lease: Lease;
  loop: LeaseLoop;
  /** A thread without work is unloaded after this time. */
  idleMs: number;
  isIdle(): boolean;
  /** True between two commands: another worker can continue the turn. */
  mayStop(): boolean;
  /** Position of the last submission that was read. */
  lastSeen(): number;
  /** Ends the engine, after its work if the thread is idle, and stores everything. */
  close(endsWork: boolean): Promise<void>;
  /** Called if it stays: submissions have come meanwhile. */
  onStay(): void;
  /** Called when the lease is released. */
  onGone(): void;
  /** Called if the lease is lost. */
  onLost(reason: string): void;
}

/** Releases a thread when it has no work, or is to be drained; another worker takes it if there is more to do. */
export class Departure {
  readonly #options: DepartureOptions;
  #idleTimer: NodeJS.Timeout | undefined;
  /** Set while it is about to leave; resolves with true if it stays. */
  #leaving: Deferred<boolean> | undefined;
  /** Set if it is drained. */
  #mayHandOver: boolean | undefined;

  constructor(options: DepartureOptions) {
    this.#options = options;
  }

  /** True while the thread is about to leave, or has left. */
  get isLeaving(): boolean {
    return this.#leaving !== undefined;
  }

  /** Resolves with false if the thread has left; at once if it is not about to. */
  async stays(): Promise<boolean> {
    return (await this.#leaving?.promise) !== false;
  }

  /** Leaves soon: at once if it is idle or may be handed over between two commands, else after its turn. */
  drain(mayHandOver: boolean): void {
    this.#mayHandOver = mayHandOver;
  }

  /** Decides whether to leave, after a change of the thread. */
  check(): void {
    const { isIdle, mayStop, idleMs } = this.#options;
    if (this.isLeaving) return;
    const isDraining = this.#mayHandOver !== undefined;
    if (!isIdle()) {
      this.#clearTimer();
      if (this.#mayHandOver && mayStop()) void this.#leaveBy(() => this.#handOver());
      return;
    }
    if (this.#idleTimer !== undefined && !isDraining) return;
    this.#clearTimer();
    const unload = () => {
      this.#idleTimer = undefined;
      if (isIdle() && !this.isLeaving) void this.#leaveBy(() => this.#unload());
    };
    this.#idleTimer = setTimeout(unload, isDraining ? 0 : idleMs);
  }

  /** Ends it: the thread is no longer here. */
  end(): void {
    this.#clearTimer();
    this.#leaving?.resolve(false);
  }

  #clearTimer(): void {
    clearTimeout(this.#idleTimer);
    this.#idleTimer = undefined;
  }

  /** Tells other workers that it is leaving, and leaves. */
  async #leaveBy(leave: () => Promise<void>): Promise<void> {
    const { loop, onLost } = this.#options;
    this.#leaving = createDeferred();
    try {
      if (await loop.renew("closing")) await leave();
      else onLost("the lease is lost");
    } catch (error) {
      if (error instanceof UnreachableError) this.#stay();
      else onLost(errorText(error));
    }
  }

  /** Ends the engine and releases the lease, unless there is new work. */
  async #unload(): Promise<void> {
    const { broker, lease, lastSeen, isIdle } = this.#options;
    const hasNew = (await broker.submissions.head(lease.threadId)) > lastSeen();
    if ((hasNew && this.#mayHandOver === undefined) || !isIdle()) this.#stay();
    else await this.#leave({ endsWork: true, wakes: hasNew });
  }

  /** Stops between two commands; another worker continues the turn. */
  #handOver(): Promise<void> {
    return this.#leave({ endsWork: false, wakes: true });
  }

  #stay(): void {
    const { loop, onStay } = this.#options;
    void loop.renew("held").catch(() => {});
    this.#leaving?.resolve(true);
    this.#leaving = undefined;
    onStay();
  }

  async #leave({ endsWork, wakes }: { endsWork: boolean; wakes: boolean }): Promise<void> {
    const { broker, pool, lease, loop, close, onGone } = this.#options;
    const wake = () =>
      broker.wakes.wake(pool, lease.threadId).then(
        () => true,
        () => false,
      );
    await close(endsWork);
    // Whatever is lost now, there is a lease that ends by itself, or a wake-up.
    const isSafe = !wakes || (await wake());
    loop.end();
    if (isSafe) await lease.release().catch(() => {});
    // Workers have put off the first one until the release.
    if (wakes) await wake();
    this.#leaving?.resolve(false);
    onGone();
  }
}
