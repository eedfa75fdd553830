import { createPeer, type Notification, type Peer, RpcError, rpcCodes } from "../jsonrpc/index.js";
import { allowManyListeners } from "../lib/many-listeners.js";
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
import { Pace, type Room } from "./pace.js";

/** A connection to an app-server, in this process or elsewhere. */
export interface AppServerClient {
  /** Response of the server to `initialize`. */
  readonly server: InitializeResponse;
  /**
   * Sends a request. Rejects with the `RpcError` of the server, with the reason of `signal`, or
   * when the connection ends.
   */
  request<Method extends ClientMethod>(
    method: Method,
    params: ParamsOf<Method>,
    signal?: AbortSignal,
  ): Promise<ResultOf<Method>>;
  /**
   * Subscribes to all notifications, in order; returns a function that unsubscribes.
   *
   * Newer servers send notifications that have no type here: a `switch` should ignore them.
   */
  onNotification(listener: (notification: ServerNotification) => void): () => void;
  /** Handles one method of server requests; those without a handler are answered with an error. */
  onRequest<Method extends ServerMethod>(
    method: Method,
    handler: ServerRequestHandler<Method>,
  ): () => void;
  /**
   * Registers a running turn: while it is the only one, the connection is not read if `room` returns a
   * promise, until that resolves. Returns a function that unregisters it.
   */
  pace?(room: () => Promise<void> | undefined): () => void;
  /** Aborts when the connection is closed or lost. */
  readonly signal: AbortSignal;
  /** Resolves when the connection is closed or lost. */
  readonly closed: Promise<void>;
  /** Ends the connection; a server in this process ends with it. */
  close(): Promise<void>;
}

/** Parts of a connection; `onFault` is called with errors that listeners throw. */
interface ClientParts {
  handlers: ServerRequestHandlers;
  onNotification: ((notification: ServerNotification) => void) | undefined;
  onFault: ((error: unknown) => void) | undefined;
}

/** Client on a channel; call `initialize` before any other request. */
export class ChannelClient implements AppServerClient {
  readonly closed: Promise<void>;
  #peer: Peer;
  #server: InitializeResponse | undefined;
  #listeners: Listeners<ServerNotification>;
  #handlers: Map<string, AnyHandler>;
  readonly #pace = new Pace();

  constructor(channel: Channel, { handlers, onNotification, onFault }: ClientParts) {
    this.#listeners = new Listeners(onFault);
    if (onNotification !== undefined) this.#listeners.add(onNotification);
    this.#handlers = new Map(Object.entries(handlers));
    this.#peer = createPeer(channel, {
      writesVersion: false,
      onRequest: ({ id, method, params, signal }) => this.#answer(method, params, { id, signal }),
      onNotification: (notification, { seq }) =>
        this.#onNotification(typeof seq === "number" ? { ...notification, seq } : notification),
      onMalformed: () => undefined,
      pace: () => this.#pace.room(),
      ...(onFault === undefined ? {} : { onFault }),
    });
    // Every running turn adds a listener, and there can be any number of turns.
    allowManyListeners(this.#peer.signal);
    this.closed = this.#untilClosed();
  }

  get server(): InitializeResponse {
    if (this.#server === undefined) throw new Error("Connection is not initialized");
    return this.#server;
  }

  get signal(): AbortSignal {
    return this.#peer.signal;
  }

  /** Performs the handshake: `initialize` and `initialized`. */
  async initialize(params: ParamsOf<"initialize">, signal?: AbortSignal): Promise<void> {
    this.#server = await this.request("initialize", params, signal);
    this.#peer.notify("initialized");
  }

  request<Method extends ClientMethod>(
    method: Method,
    params: ParamsOf<Method>,
    signal?: AbortSignal,
  ): Promise<ResultOf<Method>> {
    const reply = this.#peer.request(method, params, signal) as Promise<ResultOf<Method>>;
    this.#pace.count(reply);
    // The caller awaits this very promise, so that it continues before the next message is handled.
    return reply;
  }

  pace(room: Room): () => void {
    return this.#pace.add(room);
  }

  onNotification(listener: (notification: ServerNotification) => void): () => void {
    return this.#listeners.add(listener);
  }

  onRequest<Method extends ServerMethod>(
    method: Method,
    handler: ServerRequestHandler<Method>,
  ): () => void {
    const name: string = method;
    if (this.#handlers.has(name)) throw new TypeError(`${name} already has a handler`);
    this.#handlers.set(name, handler);
    return () => {
      if (this.#handlers.get(name) === handler) this.#handlers.delete(name);
    };
  }

  async close(): Promise<void> {
    this.#pace.release();
    await this.#peer.close();
    await this.closed;
  }

  #answer(method: string, params: unknown, question: ServerQuestion): unknown {
    const handler = this.#handlers.get(method);
    if (handler !== undefined) return handler(params as never, question);
    throw new RpcError(rpcCodes.methodNotFound, `This client does not answer \`${method}\``);
  }

  #onNotification(notification: Notification & { seq?: number }): void {
    if (notification.method === "serverRequest/resolved") this.#cancelSettled(notification.params);
    this.#listeners.notify(notification as ServerNotification);
  }

  /** Cancels the handler of a request that another client has settled. */
  #cancelSettled(params: unknown): void {
    const { requestId } = (params ?? {}) as { requestId?: number | string };
    if (requestId !== undefined)
      this.#peer.cancel(requestId, new Error("Settled by another client"));
  }

  async #untilClosed(): Promise<void> {
    await this.#peer.ended;
    await this.#peer.close(); // a server that has closed its side cannot reply
  }
}

/** A handler of any method; the method determines its params. */
type AnyHandler = (params: never, question: ServerQuestion) => unknown;

/** Set of listeners; an error of one does not affect the others. */
class Listeners<Message> {
  #listeners = new Set<(message: Message) => void>();
  #onFault: ((error: unknown) => void) | undefined;

  constructor(onFault: ((error: unknown) => void) | undefined) {
    this.#onFault = onFault;
  }

  /** Adds a listener; returns a function that removes it. */
  add(listener: (message: Message) => void): () => void {
    const own = (message: Message) => listener(message);
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  notify(message: Message): void {
    for (const listener of this.#listeners) {
      try {
        listener(message);
      } catch (error) {
        this.#onFault?.(error);
      }
    }
  }
}
