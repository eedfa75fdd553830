/**
 * A bidirectional stream of JSON values, independent of the transport.
 *
 * Every surface of the engine uses this contract, so each transport is written once. No method
 * throws because of the peer: a disconnected peer just reads nothing more.
 */
export interface Channel {
  /**
   * Messages of the peer, in order, until it closes. A message that cannot be parsed arrives as a
   * `Malformed`, and later ones still follow. A slow reader applies back-pressure.
   */
  readonly incoming: AsyncIterable<unknown>;
  /** False once messages can no longer reach the peer: this side ended, or the peer is gone. */
  readonly isOpen: boolean;
  /** True if messages are passed as values, so that text would have to be parsed first. */
  readonly takesValues: boolean;
  /** True for pipes: the reader may be a person with a pager or a debugger, and is never disconnected. */
  readonly isLocal?: boolean;
  /** Approximate number of bytes that the peer has not read. */
  readonly backlog: number;
  /**
   * Queues a message. Returns false if the peer reads too slowly: wait for `drained` before sending
   * much more. Messages sent after `end` or `close` are dropped.
   */
  send(message: unknown): boolean;
  /** Like `send`, for a message that is already JSON text: one text can go to many channels. */
  sendText(json: string): boolean;
  /** Resolves when everything was sent, or the channel is closed. */
  drained(): Promise<void>;
  /**
   * Half-closes the channel: no more messages are sent, incoming ones are still read. A WebSocket
   * cannot be half-closed, so there it is `close`.
   */
  end(): void;
  /** Flushes sent messages, then closes both directions. */
  close(): Promise<void>;
  /** Closes both directions immediately; unsent messages are lost. */
  destroy(): void;
}

/** Takes the place of a message that is not JSON, too long or nested too deeply. */
export class Malformed {
  /** Why the message is invalid, for the answer to the sender. */
  readonly reason: string;
  /** Submission or request id, if one could be found. */
  readonly id: string | undefined;

  /** Creates the value that stands for an invalid message. */
  constructor(reason: string, id?: string) {
    this.reason = reason;
    this.id = id;
  }
}

/** Bytes that may be pending for the peer before `send` returns false. */
export const backlogLimit = 1024 * 1024;

/**
 * Waits until everything was sent, as long as the peer keeps reading.
 *
 * A peer that reads nothing for `stallMs` is dropped: it must not keep a server from stopping.
 */
export async function whileLeaving(
  left: Promise<void>,
  { backlog, giveUp, stallMs = 5000 }: LeavingOptions,
): Promise<void> {
  let seen = backlog();
  const timer = setInterval(() => {
    const now = backlog();
    if (now >= seen) giveUp();
    seen = now;
  }, stallMs).unref();
  await left;
  clearInterval(timer);
}

/** The pending amount, and how a peer that stalls is dropped. */
interface LeavingOptions {
  backlog(): number;
  giveUp(): void;
  stallMs?: number;
}
