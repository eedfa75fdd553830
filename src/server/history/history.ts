import { stat } from "node:fs/promises";
import { CodexError } from "../../protocol/error.js";
import type {
  ThreadItemsListParams,
  ThreadItemsListResponse,
  TurnsPage,
  TurnsPageParams,
} from "../../protocol/rpc/v2/thread-history.js";
import type { Turn, TurnItemsView } from "../../protocol/rpc/v2/turn.js";
import { type RebuiltTurn, readTurn, readTurnOutline, readTurns } from "../../rollout/index.js";
import type { Thread } from "../thread/thread.js";
import { type Anchor, formatAnchor, ItemWalk, parseAnchor } from "./item-page.js";
import { toTurn } from "./items.js";

/** The rollout file of a thread, and its running turn, if any. */
export interface HistorySource {
  path: string;
  runningId: string | undefined;
}

/** Returns the source of a live thread's history; `undefined` if it is ephemeral. */
export function historyOf(thread: Thread): HistorySource | undefined {
  if (thread.isEphemeral) return undefined;
  return { path: thread.configured.rollout_path, runningId: thread.state.running?.id };
}

/** Reads all turns of a thread with all their items. */
export async function readAllTurns({ path, runningId }: HistorySource): Promise<Turn[]> {
  const { turns } = await readTurns(path);
  return turns.map((turn) => toTurn(turn, "full", runningId));
}

/**
 * Reads the turns of threads in pages.
 *
 * Caches the outlines of a few files while they do not change, and reads items on demand, so that
 * memory stays small for long threads.
 */
export class History {
  #outlines = new Map<string, Outline>();

  /** Returns a page of turns; by default the newest first. */
  async turns(source: HistorySource, params: TurnsPageParams): Promise<TurnsPage> {
    const { cursor, limit = defaultTurns, sortDirection = "desc", itemsView = "summary" } = params;
    const turns = await this.#outline(source.path);
    const order = sortDirection === "asc" ? [...turns] : [...turns].reverse();
    const anchor = cursor === undefined ? undefined : parseAnchor(cursor);
    const start = anchor === undefined ? 0 : positionOf(order, anchor, cursor ?? "");
    const page = order.slice(start, start + Math.min(Math.max(1, limit), maxPage));
    const data: Turn[] = [];
    for (const turn of page) data.push(await loadTurn(turn, itemsView, source.runningId));
    const [first, last] = [page[0], page.at(-1)];
    const hasMore = start + page.length < order.length;
    return {
      data,
      nextCursor: hasMore && last ? formatAnchor({ turnId: last.id, includes: false }) : null,
      backwardsCursor: first ? formatAnchor({ turnId: first.id, includes: true }) : null,
    };
  }

  /** Returns a page of items of one turn or of all; by default the oldest first. */
  async items(
    { path }: HistorySource,
    params: Omit<ThreadItemsListParams, "threadId">,
  ): Promise<ThreadItemsListResponse> {
    const { turnId, cursor, limit = defaultItems, sortDirection = "asc" } = params;
    const all = await this.#outline(path);
    const turns = turnId === undefined ? all : all.filter(({ id }) => id === turnId);
    if (turnId !== undefined && turns.length === 0) throw noTurn(turnId);
    const anchor = await toItemAnchor(cursor, turnId, turns);
    const walk = new ItemWalk(turns, sortDirection === "desc");
    return walk.page(anchor, Math.min(Math.max(1, limit), maxPage));
  }

  /** Returns the cursors for reading backwards from the end. */
  async ends(path: string): Promise<{ turns: string | null; items: string | null }> {
    const turns = await this.#outline(path);
    const last = turns.at(-1);
    const withItems = turns.findLast(({ itemCount }) => itemCount > 0);
    return {
      turns: last ? formatAnchor({ turnId: last.id, includes: true }) : null,
      items: withItems
        ? formatAnchor({ turnId: withItems.id, item: withItems.itemCount - 1, includes: true })
        : null,
    };
  }

  /** Returns the id of the last turn, if any. */
  async lastTurnId(path: string): Promise<string | undefined> {
    return (await this.#outline(path)).at(-1)?.id;
  }

  /** Counts the turns from one on, including it; throws if there is no such turn. */
  async countFrom(path: string, turnId: string): Promise<number> {
    const turns = await this.#outline(path);
    const at = turns.findLastIndex(({ id }) => id === turnId);
    if (at < 0) throw noTurn(turnId);
    return turns.length - at;
  }

  async #outline(path: string): Promise<readonly RebuiltTurn[]> {
    const stats = await stat(path).catch(() => undefined);
    if (stats === undefined) return []; // the file could not be written
    const { ino, size, mtimeMs } = stats;
    const version = `${ino} ${size} ${mtimeMs}`;
    const known = this.#outlines.get(path);
    this.#outlines.delete(path);
    const outline =
      known?.version === version ? known : { version, turns: (await readTurnOutline(path)).turns };
    this.#outlines.set(path, outline);
    const [oldest] = this.#outlines.keys();
    if (this.#outlines.size > maxOutlines && oldest !== undefined) this.#outlines.delete(oldest);
    return outline.turns;
  }
}

interface Outline {
  /** Inode, size and time of the file. */
  version: string;
  turns: readonly RebuiltTurn[];
}

const maxOutlines = 8;
const maxPage = 1000;
const defaultTurns = 25;
const defaultItems = 100;

async function loadTurn(
  outlined: RebuiltTurn,
  view: TurnItemsView,
  runningId: string | undefined,
): Promise<Turn> {
  return toTurn(view === "notLoaded" ? outlined : await readTurn(outlined), view, runningId);
}

function positionOf(turns: readonly RebuiltTurn[], anchor: Anchor, cursor: string): number {
  const at = turns.findIndex(({ id }) => id === anchor.turnId);
  if (at < 0) throw new CodexError("invalid_request", `invalid cursor: ${cursor}`);
  return anchor.includes ? at : at + 1;
}

async function toItemAnchor(
  cursor: ThreadItemsListParams["cursor"],
  turnId: string | undefined,
  turns: readonly RebuiltTurn[],
): Promise<Required<Anchor> | undefined> {
  if (cursor === undefined) return undefined;
  if (typeof cursor === "string") {
    const { item, ...anchor } = parseAnchor(cursor);
    if (item === undefined) throw new CodexError("invalid_request", `invalid cursor: ${cursor}`);
    return { ...anchor, item };
  }
  const [turn] = turns;
  if (turnId === undefined || turn === undefined) {
    throw new CodexError("invalid_request", "an item anchor requires a non-empty `turnId`");
  }
  const item = (await readTurn(turn)).items.findIndex(({ id }) => id === cursor.itemId);
  if (item < 0) throw new CodexError("not_found", `item not found: ${cursor.itemId}`);
  return { turnId, item, includes: false };
}

function noTurn(turnId: string): CodexError {
  return new CodexError("not_found", `turn not found: ${turnId}`, { data: { turnId } });
}
