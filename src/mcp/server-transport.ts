import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/** A way to speak with a server that can also say what became of it. */
export interface ServerTransport extends Transport {
  /** Does what can be done before anyone listens; `start` waits for it. */
  prepare?(): void;
  /** Why the server is gone, in words for the user; nothing while it is there. */
  readonly endReason: string | undefined;
  /** What an error of its own means, in such words; nothing for errors of others. */
  describe?(error: unknown): string | undefined;
  /** Whether the server no longer knows us, so that we have to start again. */
  isSessionLost?(error: unknown): boolean;
}

/** What a server may send at once without having been asked, and how much is forgiven a second. */
const burstBytes = 128 * 1024 * 1024;
const forgivenPerSecond = 1024 * 1024;

/** What a message costs us besides its length: a request has to be answered, a notice looked at. */
const requestCost = 64 * 1024;
const noticeCost = 1024;

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

  /** Counts bytes that came; false when it is too much. */
  allowsBytes(bytes: number): boolean {
    const now = this.#now();
    const forgiven = ((now - this.#since) / 1000) * forgivenPerSecond;
    this.#level = Math.max(0, this.#level - forgiven) + bytes;
    this.#since = now;
    return this.#level <= burstBytes;
  }

  /** Counts a message of those bytes; false when it is one too many. */
  allowsMessage(message: object): boolean {
    if ("method" in message) return this.allowsBytes("id" in message ? requestCost : noticeCost);
    this.#level = 0;
    return true;
  }
}

/** What is said of a server that is cut off for it. */
export const floodReason = "the server sent far more than it was asked for";
