import type { ModelBehavior } from "../compat/index.js";
import type { Clock } from "../lib/clock.js";
import { askStream } from "./ask-stream.js";
import { RequestBodies } from "./request-body.js";
import {
  clientHeaders,
  type Environment,
  type Headers,
  requestHeaders,
  requestUrl,
} from "./request-target.js";
import { EventReader } from "./sse.js";
import type { ModelTransport } from "./transport.js";
import type {
  ModelAuth,
  ModelAuthSource,
  ModelClient,
  ModelProvider,
  Prompt,
  StreamItem,
} from "./types.js";

/** Options of a Responses API client. */
export interface ResponsesClientOptions {
  provider: ModelProvider;
  behavior: ModelBehavior;
  transport: ModelTransport;
  originator: string;
  userAgent: string;
  env: Environment;
  clock: Clock;
  random: () => number;
  auth?: ModelAuthSource;
}

/** Client of the Responses API. */
export class ResponsesClient implements ModelClient {
  #options: ResponsesClientOptions;
  #bodies: RequestBodies;
  #headers: Headers;

  constructor(options: ResponsesClientOptions) {
    this.#options = options;
    this.#bodies = new RequestBodies(options.provider, options.behavior);
    this.#headers = clientHeaders(options);
  }

  async *stream(prompt: Prompt, signal: AbortSignal): AsyncGenerator<readonly StreamItem[]> {
    signal.throwIfAborted();
    const { provider, behavior } = this.#options;
    const query = {
      url: (auth: ModelAuth | undefined) => requestUrl(provider, auth),
      headers: (auth: ModelAuth | undefined) =>
        requestHeaders(this.#headers, prompt, auth, behavior),
      body: this.#bodies.write(prompt),
      createReader: () => new EventReader(behavior),
    };
    yield* askStream(this.#options, query, signal);
  }

  close(): void {
    this.#options.transport.close();
  }
}
