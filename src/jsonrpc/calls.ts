import { RpcError, rpcCodes } from "./error.js";
import type { RequestId } from "./message.js";

/** Our own requests that are pending. */
export class Calls {
  #waiting = new Map<RequestId, Call>();
  #nextId = 0;
  #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Registers a request and passes its id to `send`. If the signal aborts, the request is dropped. */
  make(send: (id: number) => void, signal: AbortSignal | undefined): Promise<unknown> {
    if (this.#waiting.size >= this.#limit) {
      return Promise.reject(
        new RpcError(rpcCodes.overloaded, "Too many requests wait for a reply"),
      );
    }
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.delete(id);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      const release = () => signal?.removeEventListener("abort", onAbort);
      this.#waiting.set(id, { resolve, reject, release });
      try {
        send(id);
      } catch (error) {
        this.#take(id)?.reject(error); // params that are no JSON
      }
    });
  }

  /** Settles the request with this id; a reply without a request is ignored. */
  settle(id: RequestId, reply: Record<string, unknown>): void {
    const call = this.#take(id);
    if (call === undefined) return;
    if ("error" in reply && reply.error !== null) call.reject(readError(reply.error));
    else call.resolve(reply.result);
  }

  /** Rejects all pending requests: no reply can arrive anymore. */
  failAll(reason: string): void {
    for (const id of [...this.#waiting.keys()]) {
      this.#take(id)?.reject(new RpcError(rpcCodes.internal, reason));
    }
  }

  #take(id: RequestId): Call | undefined {
    const call = this.#waiting.get(id);
    this.#waiting.delete(id);
    call?.release();
    return call;
  }
}

interface Call {
  resolve(result: unknown): void;
  reject(error: unknown): void;
  release(): void;
}

function readError(error: unknown): RpcError {
  if (typeof error !== "object" || error === null) {
    return new RpcError(rpcCodes.internal, `The reply is an error: ${JSON.stringify(error)}`);
  }
  const { code, message, data } = error as Record<string, unknown>;
  return new RpcError(
    typeof code === "number" ? code : rpcCodes.internal,
    typeof message === "string" ? message : "The reply is an error without a message",
    data,
  );
}
