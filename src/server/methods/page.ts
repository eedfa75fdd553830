import { CodexError } from "../../protocol/error.js";

/** Which part of a list is asked for. */
export interface PageRequest {
  cursor?: string | undefined;
  limit?: number | undefined;
}

/** What a cursor says; throws when it is none, before a list is made in vain. */
export function startOf(cursor = "0"): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new CodexError("invalid_request", `invalid cursor: ${cursor}`);
}

/** One page of a list that is known as a whole; a cursor is the number of what was shown before. */
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
