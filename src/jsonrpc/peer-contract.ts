import type { RpcRequest } from "./answers.js";
import type { RpcError } from "./error.js";
import type { Notification, Problem, RequestId, SharedNotification } from "./message.js";
import type { OutboxOptions } from "./outbox.js";

/** How a peer speaks, and who answers for it. */
export interface PeerOptions {
  /** True if messages carry `"jsonrpc":"2.0"`; `mirror`: if the first message of the peer does. */
  writesVersion: boolean | "mirror";
  /** Answers a request: by a value, a promise of one, or an error that is thrown. */
  onRequest(request: RpcRequest): unknown;
  /** `message` is the whole of it, with the members that stand beside `method` and `params`. */
  onNotification?(notification: Notification, message: Record<string, unknown>): unknown;
  /** The error of the reply when `onRequest` threw. */
  toError?(error: unknown): RpcError;
  /** What is answered to something that is no message; undefined for nothing. */
  onMalformed?(problem: Problem): RpcError | undefined;
  /** Whether several messages may come as one array; refused unless said. */
  batches?: "accept" | "refuse";
  /** See `OutboxOptions`; without it a slow reader is let go once too much waits for it. */
  merge?: OutboxOptions["merge"];
  /** Hears of what threw where there is nobody to answer to: notifications, actions after replies. */
  onFault?(error: unknown): void;
  limits?: Partial<PeerLimits>;
}

/** What a peer may cost. */
export interface PeerLimits {
  /** Requests that are answered at the same time; more are told to come again later. */
  inFlight: number;
  /** Bytes that their params may take together. */
  inFlightBytes: number;
  /** Our own requests that wait for a reply. */
  calls: number;
  /** Bytes that wait for a slow reader before it is let go; a local one is waited for instead. */
  backlogBytes: number;
  /** Longest time a remote reader may read nothing while a sender waits for it. */
  stallMs: number;
}

/** One side of a JSON-RPC connection. */
export interface Peer {
  /**
   * Asks the other side. Rejects with its `RpcError`, or when the connection or `signal` ends.
   *
   * `onSent` hears the id under which it was asked.
   */
  request(
    method: string,
    params?: unknown,
    signal?: AbortSignal,
    onSent?: (id: number) => void,
  ): Promise<unknown>;
  /** Tells the other side; `members` stand beside `method` and `params`. */
  notify(method: string, params?: unknown, members?: Record<string, unknown>): void;
  /** Like `notify`, for something that goes to several peers. */
  notifyShared(notification: SharedNotification): void;
  /** A promise when much waits for the other side: who can wait should, until it resolves. */
  room(): Promise<void> | undefined;
  /** Cancels a request of the other side that is being answered. */
  cancel(id: RequestId, reason: unknown): void;
  /**
   * Aborts when the connection is closed or lost, with all requests that are being answered. The reason
   * is an `RpcError`, whose code is `overloaded` for a peer that was disconnected since it read too slowly.
   */
  readonly signal: AbortSignal;
  /** Resolves when the other side has said all it will. It may still listen. */
  readonly ended: Promise<void>;
  /** Resolves when no request is being answered. */
  idle(): Promise<void>;
  /** Delivers what was sent and ends the connection. */
  close(): Promise<void>;
}

/** What a peer may cost unless it is said. */
export const defaultLimits: PeerLimits = {
  inFlight: 512,
  inFlightBytes: 128 * 1024 * 1024,
  calls: 1024,
  backlogBytes: 64 * 1024 * 1024,
  stallMs: 60_000,
};
