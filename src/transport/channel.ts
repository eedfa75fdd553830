/**
 * A two-way stream of JSON values, whatever carries it.
 *
 * Every door of the engine speaks over one of these, so each transport is written once. Nothing
 * here throws because of the peer: one that is gone reads nothing more, that is all.
 */
export interface Channel {
  /**
   * What the peer sends, in order, until it closes. A message that cannot be read arrives as a
   * `Malformed`; the stream goes on after it. A reader that falls behind slows the peer down.
   */
  readonly incoming: AsyncIterable<unknown>;
  /** False once nothing that is sent can reach the peer: we ended, or it is gone. */
  readonly isOpen: boolean;
  /** True when messages are handed over as values, so that text would have to be parsed first. */
  readonly takesValues: boolean;
  /** True for pipes: the reader may be a person with a pager or a debugger, and is never given up. */
  readonly isLocal?: boolean;
  /** About how many bytes wait for the peer to read them. */
  readonly backlog: number;
  /**
   * Queues a message behind those sent before it. Returns false when the peer reads too slowly:
   * wait for `drained` before sending much more. After `end` and `close` messages are dropped.
   */
  send(message: unknown): boolean;
  /** Like `send`, for a message that is JSON text already: one text can go to many channels. */
  sendText(json: string): boolean;
  /** Resolves when what was sent has left, or the channel is closed. */
  drained(): Promise<void>;
  /**
   * Says that nothing more will be sent, and goes on reading. A WebSocket cannot be half open:
   * there it is `close`.
   */
  end(): void;
  /** Delivers what was sent, then ends the stream in both directions. */
  close(): Promise<void>;
  /** Ends the stream in both directions at once; what has not left yet is lost. */
  destroy(): void;
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

/** Bytes that may wait for the peer before senders are told to slow down. */
export const backlogLimit = 1024 * 1024;

/**
 * Waits for what was sent to leave, for as long as the peer goes on reading it.
 *
 * A peer that takes nothing for a while is given up: it must not keep a server from stopping.
 */
export async function whileLeaving(
  left: Promise<void>,
  { backlog, giveUp, stallMs = 5000 }: Leaving,
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

/** How much still waits, and what is done with a peer that reads none of it for `stallMs`. */
interface Leaving {
  backlog(): number;
  giveUp(): void;
  stallMs?: number;
}
