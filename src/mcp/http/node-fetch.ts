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
