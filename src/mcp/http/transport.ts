import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import { maxLineBytes } from "../../transport/index.js";
import { FloodGuard, floodReason, type ServerTransport } from "../server-transport.js";
import { authRequired } from "../startup-error.js";
import { type FetchLike, watchBody } from "./fetch.js";

/**
 * Streamable HTTP transport.
 *
 * Wraps the SDK's transport to limit the size of responses, and to fail requests whose connection
 * broke, which the SDK would leave pending.
 */
export class HttpTransport implements ServerTransport {
  onmessage?: Transport["onmessage"];
  onclose?: Transport["onclose"];
  onerror?: Transport["onerror"];

  readonly #inner: StreamableHTTPClientTransport;
  readonly #guard = new FloodGuard();
  readonly #waiting = new Set<RequestId>();
  readonly #hasToken: boolean;
  #end: string | undefined;

  constructor(url: URL, headers: Headers, fetch: FetchLike) {
    this.#hasToken = headers.has("authorization");
    this.#inner = new StreamableHTTPClientTransport(url, {
      requestInit: { headers },
      fetch: async (target, init) => this.#watch(await fetch(target, init), init),
    });
  }

  /** Reason why the server is gone, for the user; undefined while it is connected. */
  get endReason(): string | undefined {
    return this.#end;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  start(): Promise<void> {
    this.#inner.onmessage = (message: JSONRPCMessage) => this.#deliver(message);
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => {
      if (/Maximum reconnection attempts/.test(error.message)) this.#failAll(lost);
      this.onerror?.(error);
    };
    return this.#inner.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const id = "method" in message && "id" in message ? message.id : undefined;
    if (id !== undefined) this.#waiting.add(id);
    try {
      await this.#inner.send(message);
    } catch (error) {
      if (id !== undefined) this.#waiting.delete(id);
      throw error;
    }
  }

  describe(error: unknown): string | undefined {
    if (!(error instanceof StreamableHTTPError)) return undefined;
    if (error.code === 401) {
      return this.#hasToken ? "the server rejected the bearer token (HTTP 401)" : authRequired;
    }
    const detail = error.message.replace(
      /^Streamable HTTP error: (Error POSTing to endpoint: )?/,
      "",
    );
    const text = detail.trim().slice(0, longestText);
    return `the server answered with HTTP ${error.code}${text === "" ? "" : `: ${text}`}`;
  }

  isSessionLost(error: unknown): boolean {
    if (!(error instanceof StreamableHTTPError) || this.sessionId === undefined) return false;
    return error.code === 404 || (error.code === 400 && /session/i.test(error.message));
  }

  /** Ends the server's session, waiting at most a second. */
  async close(): Promise<void> {
    if (this.#end === undefined) {
      this.#end = "the server was closed";
      const ended = this.#inner.terminateSession().catch(() => {});
      await Promise.race([
        ended,
        new Promise((resolve) => setTimeout(resolve, terminateMs).unref()),
      ]);
    }
    await this.#inner.close();
  }

  #deliver(message: JSONRPCMessage): void {
    if (!this.#guard.allowsMessage(message)) throw this.#cut(floodReason);
    if (!("method" in message) && message.id !== undefined) this.#waiting.delete(message.id);
    this.onmessage?.(message);
  }

  #watch(response: Response, init: RequestInit | undefined): Response {
    const isStream = /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
    const id = isStream ? requestIdIn(init?.body) : undefined;
    let messageBytes = 0;
    let canResume = false;
    return watchBody(response, {
      onChunk: (chunk) => {
        const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
        const rest = isStream ? endOfLastEvent(bytes) : 0;
        messageBytes = rest > 0 ? bytes.length - rest : messageBytes + bytes.length;
        canResume ||= isStream && (bytes.includes("\nid:") || bytes.indexOf("id:") === 0);
        if (messageBytes > maxLineBytes) throw this.#cut(tooLong);
        if (!this.#guard.allowsBytes(bytes.length)) throw this.#cut(floodReason);
      },
      onEnd: () => {
        if (id === undefined || canResume) return;
        // The response may be in the last chunk, which is still being parsed.
        setTimeout(() => this.#fail(id, lost), readOutMs).unref();
      },
    });
  }

  #cut(reason: string): Error {
    this.#end ??= reason;
    void this.#inner.close();
    return new Error(reason);
  }

  #failAll(reason: string): void {
    for (const id of this.#waiting) this.#fail(id, reason);
  }

  #fail(id: RequestId, message: string): void {
    if (!this.#waiting.has(id) || this.#end !== undefined) return;
    this.#deliver({ jsonrpc: "2.0", id, error: { code: connectionClosed, message } });
  }
}

const tooLong = "the server sent a message larger than 64 MiB";
const lost = "the connection was lost before the response arrived";
const connectionClosed = -32000;
const terminateMs = 1_000;
const readOutMs = 50;
const longestText = 500;

function requestIdIn(body: unknown): RequestId | undefined {
  if (typeof body !== "string") return undefined;
  const message = JSON.parse(body) as { id?: RequestId };
  return message.id;
}

/** Returns the offset after the last complete event; 0 if there is none. */
function endOfLastEvent(bytes: Buffer): number {
  const ends = blankLines.map((line) => {
    const at = bytes.lastIndexOf(line);
    return at < 0 ? 0 : at + line.length;
  });
  return Math.max(...ends);
}

const blankLines = ["\n\n", "\n\r\n", "\r\r"];
