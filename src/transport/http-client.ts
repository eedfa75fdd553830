import { once } from "node:events";
import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import type { NetworkAddress } from "./address.js";
import { backlogLimit, type Channel, whileLeaving } from "./channel.js";
import { type DialOptions, whileDialing } from "./dial.js";
import { TransportError } from "./error.js";
import { EventStreamParser, eventStreamType } from "./event-stream.js";
import { Inbox } from "./inbox.js";

/** Connects to an HTTP/1.1 server: receives server-sent events, and sends by requests. */
export async function connectHttp(
  address: NetworkAddress,
  { token, tls, signal }: DialOptions,
): Promise<Channel> {
  const https = address.secure ? await import("node:https") : undefined;
  const agent = new (https?.Agent ?? HttpAgent)({ keepAlive: true });
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const ask: Ask = (method, headers) =>
    (https?.request ?? httpRequest)({
      host: address.host,
      port: address.port,
      path: "/",
      method,
      headers: { ...authorization, ...headers },
      agent,
      ...tls,
    } satisfies RequestOptions);
  const opening = ask("GET", { accept: eventStreamType });
  return whileDialing(
    signal,
    () => opening.destroy(),
    async () => {
      const response = await answerTo(opening, signal);
      const id = response.headers["quire-session"]?.toString();
      if (response.statusCode !== 200 || id === undefined) throw refusalBy(response);
      return new HttpChannel({ ask, id, onEnd: () => agent.destroy() }, response);
    },
  );
}

/** Starts a request; the caller ends it. */
type Ask = (method: string, headers: Record<string, string>) => ClientRequest;

/** Access to a session on the server. */
interface SessionAccess {
  ask: Ask;
  id: string;
  /** Called after the last request. */
  onEnd(): void;
}

class HttpChannel implements Channel {
  readonly takesValues = false;
  #ask: Ask;
  #id: string;
  #onEnd: () => void;
  #inbox: Inbox;
  #stream: IncomingMessage;
  #lastEvent: string | undefined;
  #lines = "";
  #posting: Promise<void> | undefined;
  #postedBytes = 0;
  #isEnded = false;
  #isBroken = false;
  #requests = new Set<ClientRequest>();
  #waiting: (() => void)[] = [];

  constructor({ ask, id, onEnd }: SessionAccess, stream: IncomingMessage) {
    this.#ask = ask;
    this.#id = id;
    this.#onEnd = onEnd;
    this.#stream = stream;
    const source = { pause: () => this.#stream.pause(), resume: () => this.#stream.resume() };
    this.#inbox = new Inbox(source, backlogLimit);
    this.#listen(stream);
  }

  get incoming(): AsyncIterable<unknown> {
    return this.#inbox;
  }

  get isOpen(): boolean {
    return !this.#isEnded && !this.#isBroken;
  }

  get backlog(): number {
    return this.#lines.length + this.#postedBytes;
  }

  send(message: unknown): boolean {
    return this.sendText(JSON.stringify(message));
  }

  sendText(json: string): boolean {
    if (!this.isOpen) return true;
    this.#lines += `${json}\n`;
    this.#posting ??= this.#post();
    return this.backlog < backlogLimit;
  }

  async drained(): Promise<void> {
    while (!this.#isBroken && this.backlog >= backlogLimit) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  end(): void {
    void this.#end();
  }

  async close(): Promise<void> {
    const giveUp = () => this.#break();
    await whileLeaving(this.#end(), { backlog: () => this.backlog, giveUp });
    this.#break();
    this.#inbox.discard();
    this.#onEnd();
  }

  destroy(): void {
    const wasOpen = this.isOpen;
    this.#break();
    this.#inbox.discard();
    // Ends the session now, so that the server does not wait for a reconnect.
    const left = wasOpen ? this.#request("DELETE") : Promise.resolve();
    void left.catch(() => undefined).then(() => this.#onEnd());
  }

  async #end(): Promise<void> {
    if (this.#isEnded) return this.#posting;
    this.#isEnded = true;
    await this.#posting;
    if (!this.#isBroken) await this.#request("DELETE").catch(() => this.#break());
  }

  /** Sends the pending messages, all of a tick in one request, one request at a time. */
  async #post(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#lines !== "" && !this.#isBroken) {
      const lines = this.#lines;
      this.#lines = "";
      this.#postedBytes = lines.length;
      await this.#request("POST", lines).catch(() => this.#break());
      this.#postedBytes = 0;
      this.#release();
    }
    this.#posting = undefined;
  }

  async #request(method: string, body = ""): Promise<void> {
    const request = this.#ask(method, {
      "quire-session": this.#id,
      "content-type": "application/x-ndjson",
      "content-length": `${Buffer.byteLength(body)}`,
    });
    this.#requests.add(request);
    try {
      request.end(body);
      const { statusCode = 0 } = await answerTo(request).then((response) => response.resume());
      if (statusCode >= 300) throw new Error(`The server answered ${statusCode}`);
    } catch (error) {
      // The server closed the idle connection before it read this request.
      const isStale = request.reusedSocket && (error as { code?: string }).code === "ECONNRESET";
      if (isStale && !this.#isBroken) return this.#request(method, body);
      throw error;
    } finally {
      this.#requests.delete(request);
    }
  }

  #listen(stream: IncomingMessage): void {
    const parser = new EventStreamParser({
      onMessage: (message, bytes) => this.#inbox.push(message, bytes),
      onId: (id) => {
        this.#lastEvent = id;
      },
    });
    stream.on("error", () => {});
    stream.on("data", (chunk: Buffer) => parser.push(chunk));
    stream.once("close", () => void this.#afterStream(stream.complete));
  }

  /** Reopens a broken stream once, at the last received event. */
  async #afterStream(isComplete: boolean): Promise<void> {
    const next = isComplete || this.#isBroken ? undefined : await this.#reopen();
    if (next === undefined) {
      this.#break();
      this.#inbox.end();
      return;
    }
    this.#stream = next;
    this.#listen(next);
  }

  async #reopen(): Promise<IncomingMessage | undefined> {
    const lastEvent = this.#lastEvent ?? `${this.#id}.0`;
    const request = this.#ask("GET", { accept: eventStreamType, "last-event-id": lastEvent });
    this.#requests.add(request);
    try {
      const response = await answerTo(request);
      if (response.statusCode === 200 && !this.#isBroken) return response;
      response.destroy();
    } catch {
      // The server is gone.
    } finally {
      this.#requests.delete(request);
    }
    return undefined;
  }

  #break(): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.#lines = "";
    for (const request of this.#requests) request.destroy();
    this.#stream.destroy();
    this.#release();
  }

  #release(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

async function answerTo(request: ClientRequest, signal?: AbortSignal): Promise<IncomingMessage> {
  request.on("error", () => {}); // also after we gave up
  if (!request.writableEnded) request.end();
  const answered = once(request, "response", signal === undefined ? {} : { signal });
  const [response] = (await answered) as [IncomingMessage];
  return response;
}

function refusalBy(response: IncomingMessage): TransportError {
  response.resume();
  const { statusCode } = response;
  const reason = statusCode === 401 ? "the token" : `the connection (${statusCode})`;
  return new TransportError("unauthorized", `The server refused ${reason}`);
}
