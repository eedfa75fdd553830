import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

/** What the SDK and we need of `fetch`. */
export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * `fetch` over Node's own HTTP client.
 *
 * The built-in `fetch` gives up on answers that are silent for five minutes, and a call may take
 * longer. Redirects are not followed: the SDK follows those that stay with the same server.
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

/** What is done while the body of an answer is read. */
interface BodyWatch {
  /** Throws to stop the reading. */
  onChunk(chunk: Uint8Array): void;
  /** Once, however it ends. */
  onEnd?(): void;
}

/** The same answer, with someone watching its body go by. */
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

/** `fetch` for small answers: one that goes on and on is given up. */
export function boundedFetch(fetch: FetchLike, maxBytes = 1024 * 1024): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    let seen = 0;
    return watchBody(response, {
      onChunk({ length }) {
        seen += length;
        if (seen > maxBytes) throw new Error(`${new URL(url).origin} sent more than was expected`);
      },
    });
  };
}
