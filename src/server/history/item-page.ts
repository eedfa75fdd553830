import { CodexError } from "../../protocol/error.js";
import { isRecord } from "../../protocol/read/check.js";
import type {
  ThreadItemEntry,
  ThreadItemsListResponse,
} from "../../protocol/rpc/v2/thread-history.js";
import { type RebuiltTurn, readTurn } from "../../rollout/index.js";
import { toRebuiltItem } from "./items.js";

/** Pages through the items of turns. Reads a turn only if the page contains its items. */
export class ItemWalk {
  readonly #turns: readonly RebuiltTurn[];
  readonly #isReversed: boolean;

  constructor(turns: readonly RebuiltTurn[], isReversed: boolean) {
    this.#turns = isReversed ? [...turns].reverse() : turns;
    this.#isReversed = isReversed;
  }

  async page(
    anchor: Required<Anchor> | undefined,
    limit: number,
  ): Promise<ThreadItemsListResponse> {
    const places = this.#placesFrom(anchor);
    const shown = places.slice(0, limit);
    const [first, last] = [shown[0], shown.at(-1)];
    return {
      data: await this.#load(shown),
      nextCursor:
        places.length > limit && last !== undefined
          ? formatAnchor({ ...last, includes: false })
          : null,
      backwardsCursor: first === undefined ? null : formatAnchor({ ...first, includes: true }),
    };
  }

  /** Returns the positions of the items from an anchor on. */
  #placesFrom(anchor: Required<Anchor> | undefined): ItemPlace[] {
    const places = this.#turns.flatMap(({ id: turnId, itemCount }) => {
      const numbers = Array.from({ length: itemCount }, (_, item) => ({ turnId, item }));
      return this.#isReversed ? numbers.reverse() : numbers;
    });
    if (anchor === undefined) return places;
    const at = places.findIndex(
      ({ turnId, item }) => turnId === anchor.turnId && item === anchor.item,
    );
    if (at < 0) throw new CodexError("invalid_request", "invalid cursor: it is of another thread");
    return places.slice(anchor.includes ? at : at + 1);
  }

  async #load(places: readonly ItemPlace[]): Promise<ThreadItemEntry[]> {
    const entries: ThreadItemEntry[] = [];
    let turn: RebuiltTurn | undefined;
    for (const { turnId, item } of places) {
      if (turn?.id !== turnId) {
        const outlined = this.#turns.find(({ id }) => id === turnId);
        turn = outlined === undefined ? undefined : await readTurn(outlined);
      }
      const rebuilt = turn?.items[item];
      const [shown] = rebuilt === undefined ? [] : toRebuiltItem(rebuilt);
      if (shown === undefined) continue;
      const { startedAtMs = null, completedAtMs = null } = shown;
      entries.push({ turnId, item: shown, startedAtMs, completedAtMs });
    }
    return entries;
  }
}

interface ItemPlace {
  turnId: string;
  item: number;
}

/** Position in the history of a thread at which a page starts. */
export interface Anchor {
  turnId: string;
  /** Index of the item in the turn, in lists of items. */
  item?: number;
  /** True if the page starts at the position, false if after it. */
  includes: boolean;
}

/** Formats a position as an opaque cursor. */
export function formatAnchor(anchor: Anchor): string {
  return JSON.stringify(anchor);
}

/** Parses a cursor; throws if it is invalid. */
export function parseAnchor(cursor: string): Anchor {
  let value: unknown;
  try {
    value = JSON.parse(cursor);
  } catch {
    // reported below, as for any other invalid cursor
  }
  if (isRecord(value) && typeof value.turnId === "string") {
    const { turnId, item, includes } = value;
    const isItem = typeof item === "number" && Number.isSafeInteger(item) && item >= 0;
    return { turnId, includes: includes === true, ...(isItem ? { item } : {}) };
  }
  throw new CodexError("invalid_request", `invalid cursor: ${cursor.slice(0, 200)}`);
}
