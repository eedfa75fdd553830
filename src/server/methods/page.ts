import { CodexError } from "../../protocol/error.js";

/** The requested part of a list. */
export interface PageRequest {
  cursor?: string | undefined;
  limit?: number | undefined;
}

/** Parses a cursor; throws if it is invalid. Call it before building an expensive list. */
export function startOf(cursor = "0"): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new CodexError("invalid_request", `invalid cursor: ${cursor}`);
}

/** Returns a page of a complete list; the cursor is the number of entries before it. */
export function pageOf<Item>(
  all: readonly Item[],
  { cursor, limit }: PageRequest,
  what: string,
): { data: Item[]; nextCursor: string | null } {
  const start = startOf(cursor);
  if (start > all.length) {
    throw new CodexError("invalid_request", `cursor ${start} exceeds total ${what} ${all.length}`);
  }
  const end = limit === undefined ? all.length : Math.min(start + Math.max(limit, 1), all.length);
  return { data: all.slice(start, end), nextCursor: end < all.length ? String(end) : null };
}

/**
 * Returns the page after an entry of a complete list; `at` is -1 for the first page. The cursor names
 * the last entry of the page.
 */
export function pageAfter<Item>(
  all: readonly Item[],
  at: number,
  limit: number | undefined,
  cursorOf: (item: Item) => string,
): { data: Item[]; nextCursor: string | null } {
  const end = limit === undefined ? all.length : at + 1 + Math.max(limit, 1);
  const data = all.slice(at + 1, end);
  const last = data.at(-1);
  return { data, nextCursor: end < all.length && last !== undefined ? cursorOf(last) : null };
}
