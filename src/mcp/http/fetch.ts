import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

/** Part of `fetch` that the SDK and this folder use. */
export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Implements `fetch` with Node's HTTP client.
 *
 * The built-in `fetch` times out after five minutes without data, and a call may take longer.
 * Redirects are not followed: the SDK follows those to the same server.
 */
export const nodeFetch: FetchLike = async (url, init = {}) => {
  const target = new URL(url);
  const { request } =
    target.protocol === "https:" ? await import("node:https") : await import("node:http");
  return new Promise((resolve, reject) => {
    const outgoing = request(target, {
      method: init.method ?? "GET",
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.signal ? { signal: init.signal } : {}),
    });
    outgoing.on("response", (incoming) => resolve(toResponse(incoming)));
    outgoing.on("error", reject);
    outgoing.end(init.body?.toString());
  });
};

function toResponse(incoming: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  const status = incoming.statusCode ?? 500;
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  if (!hasBody) incoming.resume();
  const body = hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) : null;
  return new Response(body, { status, headers });
}

/** Callbacks while a response body is read. */
interface BodyWatch {
  /** May throw to stop reading. */
  onChunk(chunk: Uint8Array): void;
  /** Called once, however the body ends. */
  onEnd?(): void;
}

/** Returns the same response with callbacks on its body. */
export function watchBody(response: Response, { onChunk, onEnd }: BodyWatch): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          onChunk(value);
          controller.enqueue(value);
          return;
        }
        controller.close();
      } catch (error) {
        controller.error(error);
        await reader.cancel().catch(() => {});
      }
      onEnd?.();
    },
    cancel(reason) {
      onEnd?.();
      return reader.cancel(reason);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

/** Wraps `fetch` for small responses: rejects when a body exceeds the limit. */
export function boundedFetch(fetch: FetchLike, maxBytes = 1024 * 1024): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    let seen = 0;
    return watchBody(response, {
      onChunk({ length }) {
        seen += length;
        if (seen > maxBytes)
          throw new Error(`response of ${new URL(url).origin} exceeds ${maxBytes} bytes`);
      },
    });
  };
}
