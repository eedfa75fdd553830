/** What a server may send at once without having been asked, and how much is forgiven a second. */
const burstBytes = 128 * 1024 * 1024;
const forgivenPerSecond = 1024 * 1024;

/**
 * Notices a server that never stops sending.
 *
 * Answers to what we asked may be of any size; what comes unasked, such as log messages, counts
 * against an allowance that time refills.
 */
export class FloodGuard {
  readonly #now: () => number;
  #level = 0;
  #since: number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#since = now();
  }

  /** Counts what came; false when it is too much. */
  allows(bytes: number): boolean {
    const now = this.#now();
    const forgiven = ((now - this.#since) / 1000) * forgivenPerSecond;
    this.#level = Math.max(0, this.#level - forgiven) + bytes;
    this.#since = now;
    return this.#level <= burstBytes;
  }

  /** Something that was asked for has come. */
  answered(): void {
    this.#level = 0;
  }
}

/** What is said of a server that is cut off for it. */
export const floodReason = "the server sent more than 128 MiB that nobody asked for";
