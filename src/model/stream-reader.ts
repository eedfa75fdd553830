import type { ModelBehavior } from "../compat/index.js";
import type { Clock } from "../lib/clock.js";
import type { Environment, Headers } from "./request-target.js";
import type { ModelTransport, SocketUse } from "./transport.js";
import type { ModelAuth, ModelAuthSource, ModelProvider, StreamItem } from "./types.js";

/** Dependencies of every request to a provider. */
export interface RequestSettings {
  provider: ModelProvider;
  behavior: ModelBehavior;
  transport: ModelTransport;
  env: Environment;
  clock: Clock;
  random: () => number;
  auth?: ModelAuthSource;
}

/** One request, independent of the provider's wire protocol. */
export interface ModelQuery {
  url(auth: ModelAuth | undefined): string;
  headers(auth: ModelAuth | undefined): Headers;
  body: Buffer;
  /** Set if it may be sent over a WebSocket. */
  socket?: SocketUse;
  /** Creates the reader of one response. */
  createReader(): StreamReader;
}

/** Parses the text of an event stream, split at any point, into stream items. */
export interface StreamReader {
  feed(text: string): readonly StreamItem[];
  /** Returns the items for the end of the stream, if the response has not ended before. */
  finish(): readonly StreamItem[];
  /** Parses a response that is not a stream: one JSON text. */
  readWhole(body: string): readonly StreamItem[];
  /** True once the response has ended, successfully or not. */
  readonly ended: boolean;
  /** Number of events received, including ignored ones. */
  readonly events: number;
  /** True once everything relevant was received; the rest is not worth a long wait. */
  readonly settled: boolean;
}
