import type { UserInput } from "../../protocol/rpc/v2/user-input.js";

/** Messages that clients sent to a thread, by the ids they gave them, and the turns they are in. */
export class ClientMessages {
  readonly #turnOfMessage = new Map<string, string>();
  /** Turn ids that were returned for input which joined a turn, and that turn. */
  readonly #joined = new Map<string, string>();

  /**
   * Returns the turn of a message that was sent before.
   *
   * A client that lost the reply sends the message again under the same id. The same id with other
   * input is another message: some clients count from 1 in every process.
   */
  find(clientId: string | null, input: readonly UserInput[]): string | undefined {
    return clientId === null ? undefined : this.#turnOfMessage.get(keyOf(clientId, input));
  }

  /** Remembers a message for `find`; the oldest is dropped. */
  add(clientId: string | null, input: readonly UserInput[], turnId: string): void {
    if (clientId === null) return;
    this.#turnOfMessage.set(keyOf(clientId, input), turnId);
    const [oldest] = this.#turnOfMessage.keys();
    if (this.#turnOfMessage.size > maxMessages && oldest !== undefined) {
      this.#turnOfMessage.delete(oldest);
    }
  }

  /** Makes the id that was returned for input stand for the turn which the input joined. */
  join(turnId: string, running: string): void {
    this.#joined.set(turnId, running);
  }

  /** Returns the turn that an id stands for. */
  resolve(turnId: string): string {
    return this.#joined.get(turnId) ?? turnId;
  }

  /** Forgets the ids of joined input: the turn has ended. */
  clearJoined(): void {
    this.#joined.clear();
  }
}

const maxMessages = 32;

function keyOf(clientId: string, input: readonly UserInput[]): string {
  return JSON.stringify([clientId, input]);
}
