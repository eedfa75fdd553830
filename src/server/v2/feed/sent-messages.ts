import type { UserInput } from "../../../protocol/rpc/v2/user-input.js";

/**
 * The messages that clients have sent to a thread lately, by the names they gave them.
 *
 * A client that lost the reply sends a message again under the same name: it is one message. The
 * same name for other text is another message, for some clients count from 1 in every process.
 */
export class SentMessages {
  #turns = new Map<string, string>();

  /** The turn of a message that was sent already. */
  find(clientId: string | null, input: readonly UserInput[]): string | undefined {
    return clientId === null ? undefined : this.#turns.get(keyOf(clientId, input));
  }

  add(clientId: string | null, input: readonly UserInput[], turnId: string): void {
    if (clientId === null) return;
    this.#turns.set(keyOf(clientId, input), turnId);
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > mostMessages && oldest !== undefined) this.#turns.delete(oldest);
  }
}

const mostMessages = 32;

function keyOf(clientId: string, input: readonly UserInput[]): string {
  return JSON.stringify([clientId, input]);
}
