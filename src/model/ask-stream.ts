import type { ModelBehavior } from "../compat/index.js";
import { createRedactor, withoutCredentials } from "../lib/redact.js";
import { CodexError } from "../protocol/error.js";
import { backoffMs } from "./backoff.js";
import {
  connectionLost,
  eventTooLarge,
  idleTooLong,
  notAStream,
  notAsked,
  notAUrl,
  notReached,
  streamTooLong,
} from "./failure.js";
import { type RefusalOutcome, readRefusal } from "./http-failure.js";
import { headerText, readRateLimits } from "./read-stream-event.js";
import { badLogin, chooseAuth, credentialsOf } from "./request-target.js";
import { IdleGuard, readErrorBody } from "./response-body.js";
import type { ModelQuery, RequestSettings, StreamReader } from "./stream-reader.js";
import type { ModelAnswer } from "./transport.js";
import type { ModelAuth, ModelFailure, StreamItem } from "./types.js";

/** Longest delay requested by the model that is waited for without notifying the user. */
const longestUnreportedDelayMs = 60_000;

/** Upper bound of configured retries. */
const mostRetries = 100;

/** Time limit for the usage that ends a stream. */
const usageWaitMs = 1_000;

/** Retries a request within the provider's budget, and yields the items of its response. */
export async function* askStream(
  settings: RequestSettings,
  query: ModelQuery,
  signal: AbortSignal,
): AsyncGenerator<readonly StreamItem[]> {
  const { provider, clock, random } = settings;
  const retries = Math.min(provider.request_max_retries, mostRetries);
  for (let attempt = 1; ; attempt++) {
    const opened = await open(
      settings,
      { ...query, attempt: { number: attempt, of: retries + 1 } },
      signal,
    );
    if ("answer" in opened) {
      yield* read(settings, opened, query.createReader());
      return;
    }
    const { failure, again } = opened;
    const { retryAfterMs = 0 } = failure;
    const silently = again && retryAfterMs <= longestUnreportedDelayMs;
    if (!silently || attempt > retries) {
      yield [failed(failure)];
      return;
    }
    const delayMs = failure.retryAfterMs ?? backoffMs(attempt, random);
    yield [{ type: "retrying", failure, delayMs }];
    await clock.sleep(delayMs, signal);
  }
}

/** Sends the request; if a login is refused, refreshes it and tries once more. */
async function open(
  settings: RequestSettings,
  query: Attempt,
  signal: AbortSignal,
): Promise<Opened> {
  const { provider, env, auth: source, behavior } = settings;
  const { loginReplacesKey } = behavior;
  for (let renewed = false; ; renewed = true) {
    const chosen = await chooseAuth({ provider, env, source, loginReplacesKey });
    if ("failure" in chosen) return { failure: chosen.failure, again: false };
    const opened = await post(settings, query, chosen.auth, signal);
    const refused = "failure" in opened && opened.failure.status === 401;
    if (!refused || renewed || !chosen.byLogin) return opened;
    try {
      if (!(await source?.refresh())) return opened;
    } catch (error) {
      return { failure: badLogin(error), again: false };
    }
  }
}

async function post(
  { provider, env, behavior, transport, clock }: RequestSettings,
  query: Attempt,
  auth: ModelAuth | undefined,
  signal: AbortSignal,
): Promise<Opened> {
  const url = query.url(auth);
  if (!isWebUrl(url)) {
    return { failure: notAUrl(provider.id, withoutCredentials(url)), again: false };
  }
  const guard = new IdleGuard(provider.stream_idle_timeout_ms, signal);
  try {
    const { body, socket } = query;
    const request = {
      url,
      headers: query.headers(auth),
      body,
      ...(socket === undefined ? {} : { socket }),
    };
    const answer = await transport.post(request, guard.signal);
    if (answer.status >= 200 && answer.status < 300) return { answer, guard };
    const refused = await readErrorBody(answer);
    guard.end();
    const { attempt } = query;
    // Some servers repeat the credentials in their answer, and failures are recorded.
    const redact = createRedactor(credentialsOf(request, provider, env));
    const shown = { url: withoutCredentials(url), body: redact(refused) };
    const refusal = { ...answer, ...shown, planType: auth?.planType, attempt };
    return readRefusal(refusal, behavior, clock.now());
  } catch (error) {
    guard.end();
    signal.throwIfAborted();
    if (error instanceof CodexError) return { failure: notAsked(error), again: false };
    if (guard.timedOut) return { failure: idleTooLong(), again: false };
    return { failure: notReached(withoutCredentials(url), error, behavior.failures), again: true };
  }
}

async function* read(
  { behavior, clock }: RequestSettings,
  { answer, guard }: OpenStream,
  reader: StreamReader,
): AsyncGenerator<readonly StreamItem[]> {
  try {
    guard.pause();
    const rateLimits = readRateLimits(answer.headers, behavior.rateLimitFormat, clock.now());
    const turnState = headerText(answer.headers, "x-codex-turn-state");
    yield [{ type: "accepted", rateLimits, turnState }];
    guard.touch();
    if (isWhole(answer)) {
      yield await wholeItems(answer, guard, reader, behavior);
      return;
    }
    const stream = { answer, guard, reader, behavior, received: 0 };
    while (!reader.ended) {
      const before = reader.events;
      const batch = await nextItems(stream);
      if (batch.length > 0) {
        // The time that the caller takes does not count as idle.
        guard.pause();
        yield batch;
      }
      if (batch.at(-1)?.type === "failed") return;
      if (reader.events !== before) guard.touch();
    }
  } finally {
    guard.end();
    if (reader.ended) await answer.drain();
    else answer.close();
  }
}

/** Some servers answer with one JSON text, although a stream was requested. */
function isWhole({ headers }: ModelAnswer): boolean {
  return headerText(headers, "content-type")?.startsWith("application/json") ?? false;
}

async function wholeItems(
  answer: ModelAnswer,
  guard: IdleGuard,
  reader: StreamReader,
  behavior: ModelBehavior,
): Promise<readonly StreamItem[]> {
  let body = "";
  try {
    for (;;) {
      const piece = await answer.next();
      if (piece === undefined) return reader.readWhole(body);
      body += piece;
      if (body.length > largestBody) return [failed(eventTooLarge(largestBody))];
      guard.touch();
    }
  } catch {
    guard.throwIfCancelled();
    return [failed(guard.timedOut ? idleTooLong() : connectionLost(behavior.failures))];
  }
}

/** Far above any real answer; a larger one is an attack. */
const largestBody = 64 * 1024 * 1024;

/** A response while it is read. */
interface ReadStream extends OpenStream {
  reader: StreamReader;
  behavior: ModelBehavior;
  /** Number of characters so far. */
  received: number;
}

/** Far above any real response, most of which is what surrounds its deltas; a longer one is an attack. */
const longestStream = 256 * 1024 * 1024;

/** Returns the items of the next piece of the stream, of its end, or of its loss. */
async function nextItems(stream: ReadStream): Promise<readonly StreamItem[]> {
  const { answer, guard, reader, behavior } = stream;
  try {
    const next = answer.next();
    const piece = await (reader.settled ? Promise.race([next, usageTimeout()]) : next);
    if (piece === undefined) return endItems(stream);
    stream.received += piece.length;
    if (stream.received > longestStream) return [failed(streamTooLong(longestStream))];
    return reader.feed(piece);
  } catch {
    guard.throwIfCancelled();
    if (reader.settled) return reader.finish();
    return [failed(guard.timedOut ? idleTooLong() : connectionLost(behavior.failures))];
  }
}

/** A page of a proxy or of another server has no events. */
function endItems({ answer, reader, behavior }: ReadStream): readonly StreamItem[] {
  const items = reader.finish();
  const type = headerText(answer.headers, "content-type")?.split(";")[0];
  const isPage = reader.events === 0 && type !== undefined && type !== "text/event-stream";
  return isPage && behavior.failures === "server" ? [failed(notAStream(type))] : items;
}

function usageTimeout(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(resolve, usageWaitMs, undefined).unref();
  });
}

/** A request with the number of its attempt. */
interface Attempt extends ModelQuery {
  attempt: { number: number; of: number };
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
