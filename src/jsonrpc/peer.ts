import { allowManyListeners } from "../lib/many-listeners.js";
import { type Channel, Malformed } from "../transport/index.js";
import { Answers, type Reply, RpcRequest } from "./answers.js";
import { Calls } from "./calls.js";
import { RpcError, rpcCodes, toRpcError } from "./error.js";
import {
  type Incoming,
  type Problem,
  type RequestId,
  readMessage,
  SharedNotification,
} from "./message.js";
import { Outbox } from "./outbox.js";
import { defaultLimits, type Peer, type PeerLimits, type PeerOptions } from "./peer-contract.js";

/** Creates a JSON-RPC peer, client and server at once, and starts to read from the channel. */
export function createPeer(channel: Channel, options: PeerOptions): Peer {
  return new ChannelPeer(channel, options);
}

class ChannelPeer implements Peer {
  readonly ended: Promise<void>;
  #channel: Channel;
  #options: PeerOptions;
  #limits: PeerLimits;
  #outbox: Outbox;
  #calls: Calls;
  #answers: Answers;
  #lost = new AbortController();

  constructor(channel: Channel, options: PeerOptions) {
    const limits = { ...defaultLimits, ...options.limits };
    this.#channel = channel;
    this.#options = options;
    this.#limits = limits;
    this.#calls = new Calls(limits.calls);
    this.#answers = new Answers({
      maxRequests: limits.inFlight,
      maxBytes: limits.inFlightBytes,
      onRequest: (request) => options.onRequest(request),
      toResult: options.toResult ?? ((_method, result) => result),
      toError: options.toError ?? toRpcError,
      onFault: (error) => options.onFault?.(error),
    });
    this.#outbox = new Outbox(channel, options.writesVersion === true, {
      backlogBytes: limits.backlogBytes,
      merge: options.merge,
      stallMs: limits.stallMs,
      onOverflow: (reason) => {
        channel.destroy();
        this.#lose(`The peer read too slowly: ${reason}`, rpcCodes.overloaded);
      },
      onFault: (error) => options.onFault?.(error),
    });
    allowManyListeners(this.#lost.signal);
    this.ended = this.#read();
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  request(
    method: string,
    params?: unknown,
    signal?: AbortSignal,
    onSent?: (id: number) => void,
  ): Promise<unknown> {
    if (!this.#channel.isOpen || this.#lost.signal.aborted) {
      return Promise.reject(new RpcError(rpcCodes.internal, connectionClosed));
    }
    const call = params === undefined ? { method } : { method, params };
    return this.#calls.make((id) => {
      this.#outbox.send(this.#versioned({ id, ...call }));
      onSent?.(id);
    }, signal);
  }

  notify(method: string, params?: unknown, members?: Record<string, unknown>): void {
    this.#outbox.send(new SharedNotification({ method, params }, members));
  }

  notifyShared(notification: SharedNotification): void {
    this.#outbox.send(notification);
  }

  room(): Promise<void> | undefined {
    return this.#outbox.room();
  }

  cancel(id: RequestId, reason: unknown): void {
    this.#answers.cancel(id, reason);
  }

  get requestsInFlight(): number {
    return this.#answers.count;
  }

  idle(): Promise<void> {
    return this.#answers.idle();
  }

  async close(): Promise<void> {
    this.#outbox.flush();
    const closed = this.#channel.close();
    this.#lose(connectionClosed);
    await closed;
  }

  async #read(): Promise<void> {
    let mirrors = this.#options.writesVersion === "mirror";
    for await (const message of this.#channel.incoming) {
      if (mirrors && isReadable(message)) {
        this.#outbox.writesVersion = hasVersion(message);
        mirrors = false;
      }
      this.#tryToReceive(message);
      // A peer that sends requests without reading the replies is not read from until it does.
      if (this.#outbox.backlog > this.#limits.backlogBytes / 2) await this.#channel.drained();
      const room = this.#options.pace?.();
      if (room !== undefined) await room;
    }
    this.#calls.failAll(connectionClosed);
    if (!this.#channel.isOpen) this.#lose(connectionClosed);
  }

  /** An error in one message must not stop the reader. */
  #tryToReceive(message: unknown): void {
    try {
      this.#receive(readMessage(message));
    } catch (error) {
      this.#options.onFault?.(error);
    }
  }

  #receive(incoming: Incoming): void {
    if (incoming.kind !== "batch") {
      this.#dispatch(incoming, (reply) => this.#outbox.send(this.#versioned(reply)));
    } else if (this.#options.batches === "accept" && incoming.messages.length > 0) {
      this.#receiveBatch(incoming.messages);
    } else {
      const reason = "Several messages in one array are not supported";
      this.#receive({ kind: "problem", problem: { kind: "batch", reason, id: undefined } });
    }
  }

  /** Replies to a batch are sent as one batch, once the last of them is ready. */
  #receiveBatch(messages: unknown[]): void {
    const texts: string[] = [];
    let missing = messages.length;
    const onReply = (text: string | undefined) => {
      if (text !== undefined) texts.push(text);
      if (--missing === 0 && texts.length > 0) this.#outbox.send(`[${texts.join(",")}]`);
    };
    for (const message of messages) {
      const incoming = readMessage(message);
      const isAnswered = this.#dispatch(incoming, (reply) =>
        onReply(JSON.stringify(this.#versioned(reply))),
      );
      if (!isAnswered) onReply(undefined);
    }
  }

  /** Processes a message; returns true if it gets a reply, now or later. */
  #dispatch(incoming: Incoming, reply: (reply: Reply) => void): boolean {
    switch (incoming.kind) {
      case "request": {
        const { id, method, params, trace } = incoming;
        this.#answers.answer(new RpcRequest(id, method, params, trace), reply);
        return true;
      }
      case "notification":
        this.#deliver(incoming);
        return false;
      case "reply":
        this.#calls.settle(incoming.id, incoming.message);
        return false;
      case "problem":
        return this.#refuse(incoming.problem, reply);
      case "batch":
        return this.#refuse({ kind: "batch", reason: "A batch in a batch", id: undefined }, reply);
    }
  }

  #refuse(problem: Problem, reply: (reply: Reply) => void): boolean {
    const error = (this.#options.onMalformed ?? errorFor)(problem);
    if (error === undefined) return false;
    reply({ id: problem.id ?? null, error: error.toJSON() });
    return true;
  }

  #deliver({ method, params, message }: Incoming & { kind: "notification" }): void {
    const { onNotification, onFault } = this.#options;
    try {
      const done: unknown = onNotification?.({ method, params }, message);
      if (done instanceof Promise) done.catch((error: unknown) => onFault?.(error));
    } catch (error) {
      onFault?.(error);
    }
  }

  #lose(reason: string, code: number = rpcCodes.internal): void {
    if (this.#lost.signal.aborted) return;
    this.#calls.failAll(reason);
    this.#answers.cancelAll(new RpcError(code, reason));
    this.#lost.abort(new RpcError(code, reason));
  }

  #versioned(message: object): Record<string, unknown> {
    return this.#outbox.writesVersion ? { jsonrpc: "2.0", ...message } : { ...message };
  }
}

/** Returns false for a malformed message, which does not show how the peer writes messages. */
function isReadable(message: unknown): message is object {
  return typeof message === "object" && message !== null && !(message instanceof Malformed);
}

function hasVersion(message: object): boolean {
  const first: unknown = Array.isArray(message) ? message[0] : message;
  return typeof first === "object" && first !== null && "jsonrpc" in first;
}

function errorFor({ kind, reason }: Problem): RpcError {
  if (kind === "parse") return new RpcError(rpcCodes.parseError, `Parse error: ${reason}`);
  return new RpcError(rpcCodes.invalidRequest, `Invalid request: ${reason}`);
}

const connectionClosed = "The connection is closed";
