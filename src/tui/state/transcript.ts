import type { FileUpdateChange, WireItem, WireTurn } from "../wire.js";
import type { Cell, Notice } from "./cell.js";
import { FinishedCells } from "./finished-cells.js";
import { cellsOfItem } from "./from-item.js";
import { type LiveItem, liveMessage, liveReasoning, startLive } from "./live-item.js";

/**
 * The conversation on the screen: a state that notifications change, and nothing else does.
 *
 * Cells are in the order in which they were finished. A finished cell never changes again; what
 * still runs is among the live ones. The work of a delta is its length.
 */
export class Transcript {
  readonly #live = new Map<string, LiveItem>();
  readonly #ended = new Set<string>();
  readonly #held = new Set<string>();
  /** Items that were printed as interrupted when their turn ended; their own end may follow. */
  readonly #interrupted = new Set<string>();
  /** The result of the last review, which servers repeat as a message. */
  #reviewResult: string | undefined;
  readonly #finished = new FinishedCells();
  #fresh: Cell[] = [];

  /** What is finished, oldest first, as far as it is kept. */
  get finished(): readonly Cell[] {
    return this.#finished.all;
  }

  /** What was finished since this was last asked. */
  takeFresh(): Cell[] {
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh;
  }

  /** What still runs or grows, in the order in which it began; without items that wait for approval. */
  live(): Cell[] {
    const running = [...this.#live].filter(([id]) => !this.#held.has(id));
    return running.flatMap(([, item]) => item.cell() ?? []);
  }

  /** Hides an item while an approval shows it: it does not run yet. */
  hold(itemId: string): void {
    this.#held.add(itemId);
  }

  /** Shows a held item again; it starts to run now. */
  release(itemId: string, now: number): void {
    this.#held.delete(itemId);
    const cell = this.#live.get(itemId)?.cell();
    if (cell?.kind === "command" || cell?.kind === "mcp") cell.startedAt = now;
  }

  /** Adds a cell that is finished as it is. */
  add(...cells: Cell[]): void {
    this.#fresh.push(...cells);
    this.#finished.add(cells);
  }

  /** Adds a turn that was over before we looked. */
  addTurn(turn: WireTurn): void {
    for (const item of turn.items ?? []) this.#addItem(item);
  }

  itemStarted(item: WireItem, now: number): void {
    if (this.#live.has(item.id) || this.#ended.has(item.id)) return;
    this.#interrupted.delete(item.id);
    if (item.type === "agentMessage") this.#endMessages();
    const live = startLive(item, now);
    if (live !== undefined) this.#live.set(item.id, live);
  }

  itemCompleted(item: WireItem): void {
    if (this.#interrupted.delete(item.id) || this.#ended.has(item.id)) return;
    this.#ended.add(item.id);
    if (item.type === "userMessage") this.#endMessages();
    const live = this.#live.get(item.id);
    this.#live.delete(item.id);
    this.#addItem(item, live);
  }

  #addItem(item: WireItem, live?: LiveItem): void {
    if (item.type === "exitedReviewMode") this.#reviewResult = item.review.trim();
    else if (item.type === "agentMessage" && item.text.trim() === this.#reviewResult) return;
    else this.#reviewResult = undefined;
    this.add(...(live === undefined ? cellsOfItem(item) : live.complete(item)));
  }

  /** More text of a message, a thought or a plan. */
  textDelta(itemId: string, kind: "agent" | "reasoning", delta: string): void {
    let live = this.#live.get(itemId);
    if (live === undefined) {
      if (this.#ended.has(itemId)) return;
      live = kind === "agent" ? liveMessage() : liveReasoning();
      this.#live.set(itemId, live);
    }
    this.add(...live.delta(delta));
  }

  /** More output of a command. */
  outputDelta(itemId: string, delta: string): void {
    this.#live.get(itemId)?.delta(delta);
  }

  /** What a call says of how far it is. */
  progress(itemId: string, message: string): void {
    const cell = this.#live.get(itemId)?.cell();
    if (cell?.kind === "mcp") cell.progress = message;
  }

  /** The heading under which the model thinks now: the last words that it set in bold. */
  heading(): string | undefined {
    for (const live of this.#live.values()) {
      const cell = live.cell();
      if (cell?.kind !== "reasoning") continue;
      return [...cell.text.slice(-2000).matchAll(/\*\*([^*\n]{1,80})\*\*/g)].at(-1)?.[1];
    }
    return undefined;
  }

  /** The changes of a patch that waits, which an approval shows. */
  changesOf(itemId: string): readonly FileUpdateChange[] {
    const cell = this.#live.get(itemId)?.cell();
    return cell?.kind === "patch" ? cell.changes : [];
  }

  /** A patch became known in more detail. */
  patchUpdated(itemId: string, changes: readonly FileUpdateChange[]): void {
    const cell = this.#live.get(itemId)?.cell();
    if (cell?.kind === "patch") cell.changes = changes;
  }

  /** The turn is over: what still runs will not be heard of again. */
  turnEnded(isStopped: boolean): void {
    for (const [id, live] of this.#live) {
      const cells = live.complete(undefined, isStopped);
      this.add(...(this.#held.has(id) ? cells.map(declined) : cells));
      if (isStopped) this.#interrupted.add(id);
    }
    this.#live.clear();
    this.#ended.clear();
    this.#reviewResult = undefined;
  }

  /** A message that was cut short, by a steer or a lost connection, is not heard of again. */
  #endMessages(): void {
    for (const [id, live] of this.#live) {
      if (live.cell()?.kind !== "agent") continue;
      this.add(...live.complete(undefined));
      this.#live.delete(id);
      this.#ended.add(id);
    }
  }

  notice(notice: Notice): void {
    this.add({ kind: "notice", ...notice });
  }

  /** Forgets all of it, for another conversation. */
  clear(): void {
    this.#live.clear();
    this.#ended.clear();
    this.#held.clear();
    this.#interrupted.clear();
    this.#finished.clear();
  }
}

/** What still waited for approval when its turn ended never ran. */
function declined(cell: Cell): Cell {
  if (cell.kind === "command") return { ...cell, item: { ...cell.item, status: "declined" } };
  return cell.kind === "patch" ? { ...cell, status: "declined" } : cell;
}
