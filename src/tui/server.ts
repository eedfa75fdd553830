import type { AppServerClient } from "../client/index.js";

/** Something the server tells. */
export interface Told {
  method: string;
  params: Readonly<Record<string, unknown>>;
}

/** One question of the server; `signal` aborts when the answer is not wanted any more. */
export interface Asked {
  id: number | string;
  signal: AbortSignal;
}

/**
 * The app-server as the terminal UI sees it.
 *
 * Methods go by their names, and answers are read by the members that are shown: the server may be
 * another version, or another program.
 */
export interface Server {
  /** Rejects with the server's own words. */
  ask<Result = unknown>(method: string, params: object, signal?: AbortSignal): Promise<Result>;
  hear(listener: (told: Told) => void): () => void;
  answer<Params>(method: string, handler: (params: Params, asked: Asked) => unknown): void;
  /** Resolves when the connection is lost. */
  readonly closed: Promise<void>;
}

/** The part of a client that is used here, whichever methods it was made for. */
interface AnyClient {
  request(method: string, params: object, signal?: AbortSignal): Promise<unknown>;
  onNotification(listener: (told: Told) => void): () => void;
  onRequest(method: string, handler: (params: never, asked: Asked) => unknown): () => void;
  readonly closed: Promise<void>;
}

/** The server behind a client. */
export function toServer(client: AppServerClient): Server {
  const any = client as unknown as AnyClient;
  return {
    ask: <Result>(method: string, params: object, signal?: AbortSignal) =>
      any.request(method, params, signal) as Promise<Result>,
    hear: (listener) =>
      any.onNotification(({ method, params }) => listener({ method, params: params ?? {} })),
    answer: (method, handler) => void any.onRequest(method, handler as never),
    closed: any.closed,
  };
}
