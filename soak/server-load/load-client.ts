import { createPeer, type Peer } from "../../src/jsonrpc/index.js";
import { type Channel, connect } from "../../src/transport/index.js";

/** Notifications of one turn that a client received. */
interface ReceivedTurn {
  text: string;
  onCompleted: (turn: { text: string; status: string }) => void;
}

/** One connection to the server under load; it follows any number of threads. */
export class LoadClient {
  readonly #url: string;
  readonly #turns = new Map<string, ReceivedTurn>();
  #channel: Channel | undefined;
  #peer: Peer | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  async connect(): Promise<void> {
    this.#channel = await connect(this.#url);
    this.#peer = createPeer(this.#channel, {
      writesVersion: false,
      onRequest: () => ({ decision: "accept" }),
      onNotification: ({ method, params }) => this.#hear(method, params as TurnParams),
    });
    const clientInfo = { name: "quire-soak", version: "1.0.0" };
    await this.request("initialize", { clientInfo });
  }

  request(method: string, params: unknown): Promise<unknown> {
    if (this.#peer === undefined) throw new Error("not connected");
    return this.#peer.request(method, params);
  }

  /** Resolves with the notifications of the next turn of a thread, when it has ended. */
  nextTurn(threadId: string): Promise<{ text: string; status: string }> {
    return new Promise((resolve) => {
      this.#turns.set(threadId, { text: "", onCompleted: resolve });
    });
  }

  /** Goes without a word, as a client that crashed. */
  vanish(): void {
    this.#turns.clear();
    this.#channel?.destroy();
  }

  async close(): Promise<void> {
    await this.#peer?.close();
  }

  #hear(method: string, { threadId, delta, turn }: TurnParams): void {
    const received = this.#turns.get(threadId);
    if (received === undefined) return;
    if (method === "item/agentMessage/delta") received.text += delta;
    if (method !== "turn/completed") return;
    this.#turns.delete(threadId);
    received.onCompleted({ text: received.text, status: turn.status });
  }
}

interface TurnParams {
  threadId: string;
  delta: string;
  turn: { status: string };
}
