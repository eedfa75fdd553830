import type { RpcRequest } from "./answers.js";
import type { RpcError } from "./error.js";
import type { Notification, Problem, RequestId, SharedNotification } from "./message.js";
import type { OutboxOptions } from "./outbox.js";

/** Options of a peer. */
export interface PeerOptions {
  /** True if messages carry `"jsonrpc":"2.0"`; `mirror`: if the first message of the peer does. */
  writesVersion: boolean | "mirror";
  /** Handles a request: returns the result or a promise of it, or throws. */
  onRequest(request: RpcRequest): unknown;
  /** Encodes a result in the same step in which the reply is sent; default: as it is. */
  toResult?(method: string, result: unknown): unknown;
  /** `message` is the whole message, with members beside `method` and `params`. */
  onNotification?(notification: Notification, message: Record<string, unknown>): unknown;
  /** Maps an error thrown by `onRequest` to the error of the reply. */
  toError?(error: unknown): RpcError;
  /** Returns the error to reply with to a malformed message; undefined for no reply. */
  onMalformed?(problem: Problem): RpcError | undefined;
  /** Accepts arrays of messages; default: `refuse`. */
  batches?: "accept" | "refuse";
  /** See `OutboxOptions`; without it, a slow reader is disconnected once its backlog is full. */
  merge?: OutboxOptions["merge"];
  /** Returns a promise if the next message should wait for it. Called after each message. */
  pace?(): Promise<void> | undefined;
  /** Called with errors that have no reply to go to: of notifications, and of actions after a reply. */
  onFault?(error: unknown): void;
  limits?: Partial<PeerLimits>;
}

/** Resource limits of a peer. */
export interface PeerLimits {
  /** Most requests in flight; further ones are rejected as overloaded. */
  inFlight: number;
  /** Most bytes of params of all requests in flight. */
  inFlightBytes: number;
  /** Most pending requests of our own. */
  calls: number;
  /** Most bytes pending for a slow remote reader before it is disconnected; a local one is waited for. */
  backlogBytes: number;
  /** Longest time a remote reader may read nothing while a sender waits for it. */
  stallMs: number;
}

/** One side of a JSON-RPC connection. */
export interface Peer {
  /**
   * Sends a request. Rejects with the `RpcError` of the reply, or when the connection or `signal`
   * ends.
   *
   * `onSent` is called with the id of the request.
   */
  request(
    method: string,
    params?: unknown,
    signal?: AbortSignal,
    onSent?: (id: number) => void,
  ): Promise<unknown>;
  /** Sends a notification; `members` are added beside `method` and `params`. */
  notify(method: string, params?: unknown, members?: Record<string, unknown>): void;
  /** Like `notify`, for a notification to several peers. */
  notifyShared(notification: SharedNotification): void;
  /** Returns a promise if much is pending for the peer: senders should wait until it resolves. */
  room(): Promise<void> | undefined;
  /** Cancels a request of the peer that is in flight. */
  cancel(id: RequestId, reason: unknown): void;
  /**
   * Aborts when the connection is closed or lost, together with all requests in flight. The reason
   * is an `RpcError`; its code is `overloaded` if the peer was disconnected because it read too
   * slowly.
   */
  readonly signal: AbortSignal;
  /** Resolves when the peer has sent its last message. It may still read. */
  readonly ended: Promise<void>;
  /** Resolves when no request is in flight. */
  idle(): Promise<void>;
  /** Number of requests of the other side that are not answered yet. */
  readonly requestsInFlight: number;
  /** Flushes sent messages and closes the connection. */
  close(): Promise<void>;
}

/** Limits that apply by default. */
export const defaultLimits: PeerLimits = {
  inFlight: 512,
  inFlightBytes: 128 * 1024 * 1024,
  calls: 1024,
  backlogBytes: 64 * 1024 * 1024,
  stallMs: 60_000,
};
