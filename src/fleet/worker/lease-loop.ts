import type { Clock } from "../../lib/clock.js";
import type { Lease } from "../broker.js";

/** Options of a lease loop. */
export interface LeaseLoopOptions {
  lease: Lease;
  durationMs: number;
  /** A clock that never jumps. */
  clock: Clock;
  /** Time at which the lease was asked for. */
  takenAtMs: number;
  /** Called once when the lease is lost, or may be lost. */
  onLost(): void;
}

/**
 * Renews the lease of a thread, and notices in time that it can no longer be certain of it.
 *
 * Others count from the moment at which they see a renewal; the holder counts from the moment before it sends it, and stops
 * a tenth earlier.
 */
export class LeaseLoop {
  readonly #options: LeaseLoopOptions;
  #validUntilMs: number;
  #timer: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(options: LeaseLoopOptions) {
    this.#options = options;
    this.#validUntilMs = this.#deadlineOf(options.takenAtMs);
    this.#schedule();
  }

  /** True while no other worker may have taken the lease. */
  get isValid(): boolean {
    return !this.#isEnded && this.#options.clock.now() < this.#validUntilMs;
  }

  /** Renews now, and changes the state; false if the lease is lost. Throws if the broker cannot be reached. */
  async renew(state?: "held" | "closing"): Promise<boolean> {
    const sentAtMs = this.#options.clock.now();
    const isHeld = await this.#options.lease.renew(state);
    if (isHeld) this.#validUntilMs = Math.max(this.#validUntilMs, this.#deadlineOf(sentAtMs));
    return isHeld;
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  #deadlineOf(sentAtMs: number): number {
    return sentAtMs + this.#options.durationMs * 0.9;
  }

  #schedule(): void {
    const { durationMs, clock } = this.#options;
    const untilDeadline = this.#validUntilMs - clock.now();
    const ms = Math.max(0, Math.min(durationMs / 4, untilDeadline));
    this.#timer = setTimeout(() => this.#step(), ms);
  }

  #step(): void {
    if (this.#isEnded) return;
    if (!this.isValid) {
      this.#lose();
      return;
    }
    this.renew().then(
      (isHeld) => {
        if (!isHeld) this.#lose();
      },
      () => {}, // The next step tries again, until the deadline.
    );
    this.#schedule();
  }

  #lose(): void {
    if (this.#isEnded) return;
    this.end();
    this.#options.onLost();
  }
}
