/**
 * A two-way stream of JSON values, whatever carries it.
 *
 * Every door of the engine speaks over one of these, so each transport is written once.
 */
export interface Channel {
  /**
   * What the peer sends, in order, until it closes. A message that cannot be read arrives as a
   * `Malformed`; the stream goes on after it.
   */
  readonly incoming: AsyncIterable<unknown>;
  /**
   * Queues a message behind those sent before it. Returns false when the peer reads too slowly:
   * wait for `drained` before sending much more. After `close` messages are dropped.
   */
  send(message: unknown): boolean;
  /** Resolves when what was sent has left, or the channel is closed. */
  drained(): Promise<void>;
  /** Delivers what was sent, then ends the stream in both directions. */
  close(): Promise<void>;
}

/** Stands in `incoming` for a message that is not JSON, too long or nested too deeply. */
export class Malformed {
  readonly reason: string;
  /** The submission or request id, when one could still be found. */
  readonly id: string | undefined;

  constructor(reason: string, id?: string) {
    this.reason = reason;
    this.id = id;
  }
}
