import type { Clock } from "../../lib/clock.js";
import type { Thread } from "./thread.js";

/** Options of an `Unloader`. */
export interface UnloadOptions {
  clock: Clock;
  threads(): readonly Thread[];
  /** Returns true if a thread has listeners, or cannot be loaded again from its file. */
  isWanted(thread: Thread): boolean;
  /** Ends a thread; its file stays. */
  unload(thread: Thread): Promise<void>;
  /** Time that an unwanted thread stays loaded. */
  delayMs?: number;
  /** Limit of unwanted threads; the oldest are unloaded first. */
  maxUnwanted?: number;
}

/**
 * Unloads idle threads without listeners after a while, so that disconnected clients do not fill
 * the memory.
 */
export class Unloader {
  readonly #options: Required<UnloadOptions>;
  /** Time since which a thread has been unwanted. */
  #unwantedSince = new Map<Thread, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: UnloadOptions) {
    this.#options = { delayMs: 60_000, maxUnwanted: 64, ...options };
  }

  /** Starts the periodic sweep. The timer does not keep the process alive. */
  start(): void {
    const everyMs = Math.max(1000, Math.min(5000, this.#options.delayMs / 2));
    this.#timer ??= setInterval(() => void this.sweep(), everyMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Unloads the threads that are due. */
  async sweep(): Promise<void> {
    const { clock, delayMs, maxUnwanted, unload } = this.#options;
    const unwanted = this.#unwanted(clock.now());
    const surplus = unwanted.slice(0, Math.max(0, unwanted.length - maxUnwanted));
    const due = unwanted.filter(([, since]) => clock.now() - since >= delayMs);
    const ending = new Set([...surplus, ...due].map(([thread]) => thread));
    await Promise.allSettled([...ending].map((thread) => unload(thread)));
  }

  /** Unloads a thread now if it is idle and unwanted; returns true if it did. */
  async unloadNow(thread: Thread): Promise<boolean> {
    const { isWanted, unload } = this.#options;
    if (thread.isBusy || isWanted(thread)) return false;
    await unload(thread);
    return true;
  }

  /** Returns the idle unwanted threads, the oldest first. */
  #unwanted(now: number): [Thread, number][] {
    const { threads, isWanted } = this.#options;
    const idle = threads().filter((thread) => !thread.isBusy && !isWanted(thread));
    this.#unwantedSince = new Map(
      idle.map((thread) => [thread, this.#unwantedSince.get(thread) ?? now]),
    );
    return [...this.#unwantedSince].sort(([, a], [, b]) => a - b);
  }
}
