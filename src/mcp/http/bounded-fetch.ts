import type { FetchLike } from "./node-fetch.js";
import { watchBody } from "./watched-body.js";

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
