import type { Clock } from "../../lib/clock.js";
import type { Thread } from "./thread.js";

/** When threads leave the memory, and who decides whether one is still heard. */
export interface UnloadOptions {
  clock: Clock;
  threads(): readonly Thread[];
  /** Whether someone listens to a thread, or may come back to it without its file. */
  isWanted(thread: Thread): boolean;
  /** Ends a thread; its file stays. */
  unload(thread: Thread): Promise<void>;
  /** How long a thread stays that nobody listens to. */
  delayMs?: number;
  /** How many such threads stay at most; those go first that were left first. */
  maxUnheard?: number;
}

/**
 * Ends threads that nobody listens to and that do nothing, after a while.
 *
 * Clients come and go; what they leave behind must not fill the memory.
 */
export class Unloader {
  readonly #options: Required<UnloadOptions>;
  /** Since when a thread has not been wanted. */
  #leftAt = new Map<Thread, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: UnloadOptions) {
    this.#options = { delayMs: 60_000, maxUnheard: 64, ...options };
  }

  /** Looks after the threads now and then, as long as the process has other things to do. */
  start(): void {
    const everyMs = Math.max(1000, Math.min(5000, this.#options.delayMs / 2));
    this.#timer ??= setInterval(() => void this.sweep(), everyMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Ends the threads whose time has come. */
  async sweep(): Promise<void> {
    const { clock, delayMs, maxUnheard, unload } = this.#options;
    const left = this.#left(clock.now());
    const surplus = left.slice(0, Math.max(0, left.length - maxUnheard));
    const due = left.filter(([, since]) => clock.now() - since >= delayMs);
    const ending = new Set([...surplus, ...due].map(([thread]) => thread));
    await Promise.allSettled([...ending].map((thread) => unload(thread)));
  }

  /** Those that are idle and not wanted, the first left first. */
  #left(now: number): [Thread, number][] {
    const { threads, isWanted } = this.#options;
    const idle = threads().filter((thread) => !thread.isBusy && !isWanted(thread));
    this.#leftAt = new Map(idle.map((thread) => [thread, this.#leftAt.get(thread) ?? now]));
    return [...this.#leftAt].sort(([, a], [, b]) => a - b);
  }
}
