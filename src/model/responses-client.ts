import type { Clock } from "../lib/clock.js";
import type { ModelDialect } from "../protocol/era.js";
import { backoffMs } from "./backoff.js";
import { badLogin, chooseAuth, type Environment } from "./choose-auth.js";
import {
  chatNotSpoken,
  closedEarly,
  connectionLost,
  idleTooLong,
  notAUrl,
  notReached,
} from "./failure.js";
import { clientHeaders, type Headers, requestHeaders } from "./headers.js";
import { type RefusalOutcome, readRefusal } from "./http-failure.js";
import { IdleGuard } from "./idle-guard.js";
import { headerText, readRateLimits } from "./rate-limits.js";
import { readErrorBody } from "./read-error-body.js";
import { RequestBodies } from "./request-body.js";
import { requestUrl } from "./request-url.js";
import { EventReader } from "./sse.js";
import type { ModelAnswer, ModelTransport } from "./transport.js";
import type {
  ModelAuth,
  ModelAuthSource,
  ModelClient,
  ModelFailure,
  ModelProvider,
  Prompt,
  StreamItem,
} from "./types.js";

/** What a client of the Responses API is made of. */
export interface ResponsesClientOptions {
  provider: ModelProvider;
  dialect: ModelDialect;
  transport: ModelTransport;
  originator: string;
  userAgent: string;
  env: Environment;
  clock: Clock;
  random: () => number;
  auth?: ModelAuthSource;
}

/** The longest time the model may ask to wait without the user being told. */
const longestSilentWaitMs = 60_000;

/** However large a budget is set, this is enough. */
const mostRetries = 100;

/** Asks models that speak the Responses API. */
export class ResponsesClient implements ModelClient {
  #options: ResponsesClientOptions;
  #bodies: RequestBodies;
  #headers: Headers;

  constructor(options: ResponsesClientOptions) {
    this.#options = options;
    this.#bodies = new RequestBodies(options.provider);
    this.#headers = clientHeaders(options);
  }

  async *stream(prompt: Prompt, signal: AbortSignal): AsyncGenerator<readonly StreamItem[]> {
    signal.throwIfAborted();
    const { provider, clock, random } = this.#options;
    if (provider.wire_api === "chat") {
      yield [failed(chatNotSpoken(provider.id))];
      return;
    }
    const body = this.#bodies.write(prompt);
    const retries = Math.min(provider.request_max_retries, mostRetries);
    for (let attempt = 1; ; attempt++) {
      const opened = await this.#open(prompt, body, signal);
      if ("answer" in opened) {
        yield* this.#read(opened);
        return;
      }
      const { failure, again } = opened;
      const { retryAfterMs = 0 } = failure;
      const silently = again && retryAfterMs <= longestSilentWaitMs;
      if (!silently || attempt > retries) {
        yield [failed(failure)];
        return;
      }
      const delayMs = failure.retryAfterMs ?? backoffMs(attempt, random);
      yield [{ type: "retrying", failure, delayMs }];
      await clock.sleep(delayMs, signal);
    }
  }

  close(): void {
    this.#options.transport.close();
  }

  /** Makes the request; a login that was refused is renewed and tried once more. */
  async #open(prompt: Prompt, body: Buffer, signal: AbortSignal): Promise<Opened> {
    const { provider, env, auth: source } = this.#options;
    for (let renewed = false; ; renewed = true) {
      const chosen = await chooseAuth(provider, env, source);
      if ("failure" in chosen) return { failure: chosen.failure, again: false };
      const opened = await this.#post(prompt, body, chosen.auth, signal);
      const refused = "failure" in opened && opened.failure.status === 401;
      if (!refused || renewed || !chosen.byLogin) return opened;
      try {
        if (!(await source?.refresh())) return opened;
      } catch (error) {
        return { failure: badLogin(error), again: false };
      }
    }
  }

  async #post(
    prompt: Prompt,
    body: Buffer,
    auth: ModelAuth | undefined,
    signal: AbortSignal,
  ): Promise<Opened> {
    const { provider, dialect, transport, clock } = this.#options;
    const url = requestUrl(provider, auth);
    if (!isWebUrl(url)) return { failure: notAUrl(provider.id, url), again: false };
    const headers = requestHeaders(this.#headers, prompt, auth, dialect);
    const guard = new IdleGuard(provider.stream_idle_timeout_ms, signal);
    try {
      const answer = await transport.post({ url, headers, body }, guard.signal);
      if (answer.status >= 200 && answer.status < 300) return { answer, guard };
      const refusal = {
        ...answer,
        url,
        body: await readErrorBody(answer),
        planType: auth?.planType,
      };
      guard.end();
      return readRefusal(refusal, dialect, clock.now());
    } catch (error) {
      guard.end();
      signal.throwIfAborted();
      if (guard.timedOut) return { failure: idleTooLong(), again: false };
      return { failure: notReached(url, error, dialect.failureTexts), again: true };
    }
  }

  async *#read({ answer, guard }: OpenStream): AsyncGenerator<readonly StreamItem[]> {
    const reader = new EventReader(this.#options.dialect);
    try {
      guard.pause();
      yield [this.#accepted(answer)];
      guard.touch();
      while (!reader.ended) {
        const piece = await this.#next(answer, guard);
        if (typeof piece !== "string") {
          yield [failed(piece)];
          return;
        }
        const before = reader.events;
        const batch = reader.feed(piece);
        if (batch.length > 0) {
          // However long the caller works on it, the model is not to blame.
          guard.pause();
          yield batch;
        }
        if (reader.events !== before) guard.touch();
      }
    } finally {
      guard.end();
      if (reader.ended) await answer.drain();
      else answer.close();
    }
  }

  /** The next piece of the stream, or why there is none. */
  async #next(answer: ModelAnswer, guard: IdleGuard): Promise<string | ModelFailure> {
    try {
      return (await answer.next()) ?? closedEarly();
    } catch {
      guard.throwIfCancelled();
      if (guard.timedOut) return idleTooLong();
      return connectionLost(this.#options.dialect.failureTexts);
    }
  }

  #accepted({ headers }: ModelAnswer): StreamItem {
    const { dialect, clock } = this.#options;
    return {
      type: "accepted",
      rateLimits: readRateLimits(headers, dialect.rateLimitForm, clock.now()),
      turnState: headerText(headers, "x-codex-turn-state"),
    };
  }
}

interface OpenStream {
  answer: ModelAnswer;
  guard: IdleGuard;
}

type Opened = OpenStream | RefusalOutcome;

function failed(failure: ModelFailure): StreamItem {
  return { type: "failed", failure };
}

function isWebUrl(url: string): boolean {
  return URL.canParse(url) && (url.startsWith("http://") || url.startsWith("https://"));
}
