import { setMaxListeners } from "node:events";
import { createPeer, type Notification, type Peer, RpcError, rpcCodes } from "../jsonrpc/index.js";
import type { InitializeResponse } from "../protocol/rpc/v2/initialize.js";
import type { Channel } from "../transport/index.js";
import type {
  ClientMethod,
  ParamsOf,
  ResultOf,
  ServerMethod,
  ServerNotification,
  ServerQuestion,
  ServerRequestHandler,
  ServerRequestHandlers,
} from "./messages.js";

/** A connection to an app-server, in this process or elsewhere. */
export interface AppServerClient {
  /** What the server said of itself. */
  readonly server: InitializeResponse;
  /** Asks the server. Rejects with its `RpcError`, with `signal`'s reason, or when the connection ends. */
  request<Method extends ClientMethod>(
    method: Method,
    params: ParamsOf<Method>,
    signal?: AbortSignal,
  ): Promise<ResultOf<Method>>;
  /**
   * Hears all that the server tells, in its order; the function returned ends that.
   *
   * Newer servers also tell of what has no type here: let a `switch` pass over it.
   */
  onNotification(listener: (notification: ServerNotification) => void): () => void;
  /** Answers one kind of question; those without a handler are answered with an error. */
  onRequest<Method extends ServerMethod>(
    method: Method,
    handler: ServerRequestHandler<Method>,
  ): () => void;
  /** Aborts when the connection is closed or lost. */
  readonly signal: AbortSignal;
  /** Resolves when the connection is closed or lost. */
  readonly closed: Promise<void>;
  /** Ends the connection; a server in this process ends with it. */
  close(): Promise<void>;
}

/** What a connection is made with; `onFault` hears what listeners throw. */
interface ClientParts {
  handlers: ServerRequestHandlers;
  onNotification: ((notification: ServerNotification) => void) | undefined;
  onFault: ((error: unknown) => void) | undefined;
}

/** The client on a channel that has not been introduced to the server yet. */
export class ChannelClient implements AppServerClient {
  readonly closed: Promise<void>;
  #peer: Peer;
  #server: InitializeResponse | undefined;
  #listeners: Listeners<ServerNotification>;
  #handlers: Map<string, AnyHandler>;

  constructor(channel: Channel, { handlers, onNotification, onFault }: ClientParts) {
    this.#listeners = new Listeners(onFault);
    if (onNotification !== undefined) this.#listeners.add(onNotification);
    this.#handlers = new Map(Object.entries(handlers));
    this.#peer = createPeer(channel, {
      writesVersion: false,
      onRequest: ({ id, method, params, signal }) => this.#answer(method, params, { id, signal }),
      onNotification: (notification, { seq }) =>
        this.#hear(typeof seq === "number" ? { ...notification, seq } : notification),
      onMalformed: () => undefined,
      ...(onFault === undefined ? {} : { onFault }),
    });
    // Every turn that is running listens to it, and that may be any number.
    setMaxListeners(0, this.#peer.signal);
    this.closed = this.#untilClosed();
  }

  get server(): InitializeResponse {
    if (this.#server === undefined) throw new Error("The server has not introduced itself");
    return this.#server;
  }

  get signal(): AbortSignal {
    return this.#peer.signal;
  }

  /** Introduces the client; nothing else may be asked before. */
  async introduce(params: ParamsOf<"initialize">, signal?: AbortSignal): Promise<void> {
    this.#server = await this.request("initialize", params, signal);
    this.#peer.notify("initialized");
  }

  request<Method extends ClientMethod>(
    method: Method,
    params: ParamsOf<Method>,
    signal?: AbortSignal,
  ): Promise<ResultOf<Method>> {
    return this.#peer.request(method, params, signal) as Promise<ResultOf<Method>>;
  }

  onNotification(listener: (notification: ServerNotification) => void): () => void {
    return this.#listeners.add(listener);
  }

  onRequest<Method extends ServerMethod>(
    method: Method,
    handler: ServerRequestHandler<Method>,
  ): () => void {
    const name: string = method;
    if (this.#handlers.has(name)) throw new TypeError(`${name} has a handler already`);
    this.#handlers.set(name, handler);
    return () => {
      if (this.#handlers.get(name) === handler) this.#handlers.delete(name);
    };
  }

  async close(): Promise<void> {
    await this.#peer.close();
    await this.closed;
  }

  #answer(method: string, params: unknown, question: ServerQuestion): unknown {
    const handler = this.#handlers.get(method);
    if (handler !== undefined) return handler(params as never, question);
    throw new RpcError(rpcCodes.methodNotFound, `This client does not answer \`${method}\``);
  }

  #hear(notification: Notification & { seq?: number }): void {
    if (notification.method === "serverRequest/resolved") this.#dismiss(notification.params);
    this.#listeners.tell(notification as ServerNotification);
  }

  /** A question that was settled without us need not be asked any longer. */
  #dismiss(params: unknown): void {
    const { requestId } = (params ?? {}) as { requestId?: number | string };
    if (requestId !== undefined) this.#peer.cancel(requestId, new Error("It is settled already"));
  }

  async #untilClosed(): Promise<void> {
    await this.#peer.ended;
    await this.#peer.close(); // a server that says nothing more is of no use
  }
}

/** A handler of any question; which params it gets is settled by the name it stands under. */
type AnyHandler = (params: never, question: ServerQuestion) => unknown;

/** Those who hear of something; one that throws does not keep it from the others. */
class Listeners<Message> {
  #listeners = new Set<(message: Message) => void>();
  #onFault: ((error: unknown) => void) | undefined;

  constructor(onFault: ((error: unknown) => void) | undefined) {
    this.#onFault = onFault;
  }

  /** Adds one; the function returned takes it away again. */
  add(listener: (message: Message) => void): () => void {
    const own = (message: Message) => listener(message);
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  tell(message: Message): void {
    for (const listener of this.#listeners) {
      try {
        listener(message);
      } catch (error) {
        this.#onFault?.(error);
      }
    }
  }
}
