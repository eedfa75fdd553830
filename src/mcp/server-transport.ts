import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/** Transport that also reports why a server is gone. */
export interface ServerTransport extends Transport {
  /** Does work that needs no listener yet; `start` waits for it. */
  prepare?(): void;
  /** Reason why the server is gone, for the user; undefined while it is connected. */
  readonly endReason: string | undefined;
  /** Describes an error of this transport; undefined for other errors. */
  describe?(error: unknown): string | undefined;
  /** Returns true if the server has dropped our session, so that it must be initialized again. */
  isSessionLost?(error: unknown): boolean;
}

/** Bytes a server may send unrequested in one burst, and the rate at which they are forgiven. */
const burstBytes = 128 * 1024 * 1024;
const forgivenPerSecond = 1024 * 1024;

/** Cost of a message besides its length: requests must be answered, notifications dispatched. */
const requestCost = 64 * 1024;
const notificationCost = 1024;

/**
 * Detects a server that floods the client.
 *
 * Responses may be of any size; unrequested data, such as log messages, counts against an allowance
 * that refills over time.
 */
export class FloodGuard {
  readonly #now: () => number;
  #level = 0;
  #since: number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#since = now();
  }

  /** Counts received bytes; returns false above the allowance. */
  allowsBytes(bytes: number): boolean {
    const now = this.#now();
    const forgiven = ((now - this.#since) / 1000) * forgivenPerSecond;
    this.#level = Math.max(0, this.#level - forgiven) + bytes;
    this.#since = now;
    return this.#level <= burstBytes;
  }

  /** Counts a message; returns false above the allowance. A response resets the count. */
  allowsMessage(message: object): boolean {
    if ("method" in message)
      return this.allowsBytes("id" in message ? requestCost : notificationCost);
    this.#level = 0;
    return true;
  }
}

/** End reason of a server that is disconnected for flooding. */
export const floodReason = "the server sent too much unrequested data";
