import type { AppServerClient } from "../../client/index.js";
import type { TurnCell } from "../state/cell.js";
import type { Conversation } from "../state/conversation.js";

/** Longest time that a footer waits for the cost of its turn. */
const patienceMs = 300;

/** Prints the footer of each turn, with its cost if the server knows the price of the model. */
export class TurnFooter {
  readonly #server: AppServerClient;
  readonly #conversation: Conversation;
  readonly #changed: () => void;
  /** Models without a known price, and servers without prices, are not asked again. */
  readonly #unpriced = new Set<string>();
  #pending: TurnCell | undefined;

  constructor(server: AppServerClient, conversation: Conversation, changed: () => void) {
    this.#server = server;
    this.#conversation = conversation;
    this.#changed = changed;
  }

  /** Prints the footer of the turn that has just ended, once its cost is known. */
  async ended(): Promise<void> {
    const { status } = this.#conversation;
    const { ended, threadId, settings } = status;
    status.ended = undefined;
    if (ended === undefined || threadId === undefined) return;
    this.#pending = ended;
    const model = settings?.model ?? "";
    if (ended.tokens > 0 && !this.#unpriced.has(model)) {
      const total = await this.#costOf(threadId);
      if (total === undefined) this.#unpriced.add(model);
      else if (status.threadId === threadId) {
        // What a resumed thread has cost before is not known.
        if (status.cost !== undefined) ended.cost = Math.max(0, total - status.cost);
        status.cost = total;
      }
    }
    if (this.#pending === ended) this.flush();
  }

  /** Prints a footer that still waits for its cost, before something else is printed. */
  flush(): void {
    if (this.#pending === undefined) return;
    this.#conversation.transcript.add(this.#pending);
    this.#pending = undefined;
    this.#changed();
  }

  async #costOf(threadId: string): Promise<number | undefined> {
    const late = new Promise<undefined>((resolve) => {
      setTimeout(() => resolve(undefined), patienceMs);
    });
    const params = { by: "model", threadId } as const;
    const answer = await Promise.race([
      this.#server.request("usage/read", params).catch(() => undefined),
      late,
    ]);
    return answer?.total.cost ?? undefined;
  }
}
