import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Readable, Writable } from "node:stream";
import type { AccessGuard, Caller } from "./access-guard.js";
import { byteChannel } from "./byte-channel.js";
import { EventSession } from "./event-session.js";
import { asksForEvents, eventStreamType, toEvent } from "./event-stream.js";
import type { ConnectionInfo } from "./listener.js";
import { answerProbe, probePaths, type ProbeAnswer as ShortAnswer } from "./probes.js";

/** A request and its response, the same for HTTP/1.1 and HTTP/2. */
export interface Exchange {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  host: string | undefined;
  input: Readable;
  output: Writable;
  info: ConnectionInfo;
  /** Sends the status and the headers; the body is written to `output`. */
  respond(status: number, headers: Record<string, string>): void;
  /** Ends a request that is still being sent when its response is complete. */
  hangUp(): void;
  /** Returns true if the input ended because the connection broke. */
  isBroken(): boolean;
}

/**
 * Handles the requests of one listener.
 *
 * `POST /` is a channel: messages in its body, messages in its response. `GET /` with server-sent
 * events opens a session, whose messages are sent by requests that name it in the `quire-session`
 * header. In both cases the response has events if the client accepts them, else lines.
 */
export class HttpExchanges {
  #guard: AccessGuard;
  #sessions = new Map<string, EventSession>();

  constructor(guard: AccessGuard) {
    this.#guard = guard;
  }

  serve(exchange: Exchange): void {
    const short = this.#answer(exchange);
    if (short !== undefined) answerShortly(exchange, short);
  }

  /** Responds to a request, or returns a short answer for it. */
  #answer(exchange: Exchange): ShortAnswer | undefined {
    const { method, path, headers, host } = exchange;
    const { origin, authorization } = headers;
    const fetchSite = headers["sec-fetch-site"]?.toString();
    const caller: Caller = { host, origin, authorization, fetchSite };
    if (probePaths.has(path)) return this.#probe(exchange, caller);
    if (method === "OPTIONS") return this.#preflight(exchange, caller);
    const id = headers["quire-session"]?.toString();
    const lastEvent = headers["last-event-id"]?.toString();
    const isKnown = id !== undefined || lastEvent !== undefined;
    const guard = this.#guard;
    const refusal = isKnown ? guard.refusalOfConnected(caller) : guard.refusalOf(caller);
    if (refusal !== undefined) return [refusal.status, refusal.reason];
    if (path !== "/") return [404, "Channels are opened by POST / or GET /"];
    if (id !== undefined) return this.#inSession(exchange, id);
    const wantsEvents = asksForEvents(headers.accept);
    if (method === "POST") return this.#openChannel(exchange, wantsEvents);
    if (method !== "GET" || !wantsEvents) {
      return [405, `Use POST, or GET with \`Accept: ${eventStreamType}\``];
    }
    if (lastEvent !== undefined) return this.#reopen(exchange, lastEvent);
    return this.#openSession(exchange);
  }

  #probe(exchange: Exchange, caller: Caller): ShortAnswer | undefined {
    const answer = answerProbe(exchange, caller, this.#guard);
    if (!(answer instanceof Promise)) return answer;
    void answer.then((short) => answerShortly(exchange, short));
    return undefined;
  }

  /** Answers a CORS preflight, which a page of an allowed origin sends before its token. */
  #preflight(exchange: Exchange, caller: Caller): ShortAnswer | undefined {
    const refusal = this.#guard.pageRefusalOf(caller);
    if (refusal !== undefined) return [refusal.status, refusal.reason];
    exchange.respond(204, {
      ...forPages(exchange),
      "access-control-allow-methods": "GET, POST, DELETE",
      "access-control-allow-headers": "authorization, content-type, last-event-id, quire-session",
      "access-control-max-age": "600",
    });
    exchange.output.end();
    return undefined;
  }

  #openChannel(exchange: Exchange, inEvents: boolean): ShortAnswer | undefined {
    const { input, output, info } = exchange;
    const type = inEvents ? eventStreamType : "application/x-ndjson";
    exchange.respond(200, { ...forPages(exchange), ...unbuffered, "content-type": type });
    const channel = byteChannel({
      input,
      output,
      hangUp: () => exchange.hangUp(),
      isBroken: () => exchange.isBroken(),
      ...(inEvents ? { frame: toEvent } : {}),
    });
    output.once("close", () => this.#guard.forget(channel));
    this.#guard.admit(channel, info);
    return undefined;
  }

  #openSession(exchange: Exchange): ShortAnswer | undefined {
    const id = randomBytes(18).toString("base64url");
    const session = new EventSession({
      id,
      onEnd: () => {
        this.#sessions.delete(id);
        this.#guard.forget(session);
      },
    });
    this.#sessions.set(id, session);
    this.#respondWithEvents(exchange, session);
    session.open(exchange.output);
    this.#guard.admit(session, exchange.info);
    return undefined;
  }

  /** Status 204 stops a browser from reconnecting. */
  #reopen(exchange: Exchange, lastEvent: string): ShortAnswer | undefined {
    const [, id, number] = /^([\w-]+)\.(\d{1,15})$/.exec(lastEvent) ?? [];
    const session = this.#sessions.get(id ?? "");
    if (session === undefined) {
      exchange.respond(204, forPages(exchange));
      exchange.output.end();
      return undefined;
    }
    const missed = session.missedAfter(Number(number));
    if (missed === undefined) {
      session.destroy();
      return [410, "Events after this one are gone, and the session with them"];
    }
    this.#respondWithEvents(exchange, session);
    session.reopen(exchange.output, missed);
    return undefined;
  }

  #respondWithEvents(exchange: Exchange, session: EventSession): void {
    exchange.respond(200, {
      ...forPages(exchange),
      ...unbuffered,
      "content-type": eventStreamType,
      "quire-session": session.id,
    });
  }

  #inSession(exchange: Exchange, id: string): ShortAnswer | undefined {
    const { method, input, headers } = exchange;
    const session = this.#sessions.get(id);
    if (session === undefined) {
      return [404, "There is no such session: open one with GET /"];
    }
    if (!session.isReceiving) return [409, "The session takes no more messages"];
    if (method === "DELETE") {
      session.endInput();
      return [200, ""];
    }
    if (method !== "POST") return [405, "Use POST to send, DELETE to end"];
    const received = session.receive(input, headers["content-type"]);
    void received.then(() => answerShortly(exchange, [202, ""]));
    return undefined;
  }
}

/** Sends a short answer. The unread rest of the request is not waited for. */
function answerShortly(exchange: Exchange, [status, text, type]: ShortAnswer): void {
  const body = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  exchange.respond(status, {
    ...(status === 403 ? {} : forPages(exchange)),
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
    "content-type": type ?? "text/plain",
    "content-length": `${Buffer.byteLength(body)}`,
  });
  exchange.output.end(body);
  if (status >= 400) exchange.hangUp();
}

/** Lets a page read the response; its origin has passed the access guard. */
function forPages({ headers: { origin } }: Exchange): Record<string, string> {
  if (origin === undefined) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "quire-session",
    vary: "origin",
  };
}

/** Keeps proxies from buffering events. */
const unbuffered = { "cache-control": "no-store", "x-accel-buffering": "no" };
