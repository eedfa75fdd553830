import type { FileUpdateChange, WireItem, WireTurn } from "../wire.js";
import type { Cell, CommandCell, Notice } from "./cell.js";
import { isExploring } from "./exploring.js";
import { FinishedCells } from "./finished-cells.js";
import { cellsOfItem } from "./from-item.js";
import { type LiveItem, liveMessage, liveProposal, liveReasoning, startLive } from "./live-item.js";

/**
 * The transcript, changed by notifications only.
 *
 * Cells are ordered by completion. A finished cell never changes; running items are live. A delta
 * costs its own length.
 */
export class Transcript {
  readonly #live = new Map<string, LiveItem>();
  readonly #ended = new Set<string>();
  readonly #held = new Set<string>();
  /**
   * Items that were printed as interrupted when their turn ended; their completion may still
   * arrive.
   */
  readonly #interrupted = new Set<string>();
  /** The result of the last review, which servers repeat as an agent message. */
  #reviewResult: string | undefined;
  readonly #finished = new FinishedCells();
  #fresh: Cell[] = [];
  /** Finished reads and searches; more may follow, which are shown in the same block. */
  #exploring: CommandCell[] = [];
  /** The plan that is being proposed, inside of a message. */
  #planId: string | undefined;

  /** Finished cells, oldest first; see {@link FinishedCells} for the limit. */
  get finished(): readonly Cell[] {
    return this.#finished.all;
  }

  /** Returns the cells finished since the last call. */
  takeFresh(): Cell[] {
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh;
  }

  /** Returns running cells in the order of their start, without items that await approval. */
  live(): Cell[] {
    const shown = [...this.#live].filter(([id]) => !this.#held.has(id));
    const running = shown.flatMap(([, item]) => item.cell() ?? []);
    const commands = [...this.#exploring, ...running.filter(isExploring)];
    if (commands.length === 0) return running;
    return [{ kind: "explored", commands }, ...running.filter((cell) => !isExploring(cell))];
  }

  /** Hides an item while its approval is pending. */
  hold(itemId: string): void {
    this.#held.add(itemId);
  }

  /** Shows a held item again; its duration starts now. */
  release(itemId: string, now: number): void {
    this.#held.delete(itemId);
    const cell = this.#live.get(itemId)?.cell();
    if (cell?.kind === "command" || cell?.kind === "mcp") cell.startedAt = now;
  }

  /** Adds finished cells; reads and searches wait for those that follow them. */
  add(...cells: Cell[]): void {
    for (const cell of cells) {
      if (isExploring(cell)) this.#exploring.push(cell);
      else this.#finish(cell);
    }
  }

  #finish(cell: Cell): void {
    this.#endExploring();
    this.#fresh.push(cell);
    this.#finished.add([cell]);
  }

  #endExploring(): void {
    const commands = this.#exploring;
    if (commands.length === 0) return;
    this.#exploring = [];
    this.#finish({ kind: "explored", commands });
  }

  /** Adds a stored turn. */
  addTurn(turn: WireTurn): void {
    for (const item of plansAfterMessages(turn.items ?? [])) this.#addItem(item);
    this.#endExploring();
  }

  itemStarted(item: WireItem, now: number): void {
    if (this.#live.has(item.id) || this.#ended.has(item.id)) return;
    this.#interrupted.delete(item.id);
    if (item.type === "agentMessage") {
      this.#endMessages();
      this.#endExploring();
    }
    if (item.type === "plan") this.#startPlan(item.id);
    const live = startLive(item, now);
    if (live !== undefined) this.#live.set(item.id, live);
  }

  itemCompleted(item: WireItem): void {
    if (this.#interrupted.delete(item.id) || this.#ended.has(item.id)) return;
    this.#ended.add(item.id);
    if (item.id === this.#planId) this.#planId = undefined;
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

  /** Adds text to a message, reasoning or plan. */
  textDelta(itemId: string, kind: keyof typeof startText, delta: string): void {
    if (this.#planId !== undefined && itemId !== this.#planId) this.#endPlan();
    let live = this.#live.get(itemId);
    if (live === undefined) {
      if (this.#ended.has(itemId)) return;
      if (kind === "plan") this.#startPlan(itemId);
      live = startText[kind]();
      this.#live.set(itemId, live);
    }
    this.add(...live.delta(delta));
  }

  /** Adds output to a command. */
  outputDelta(itemId: string, delta: string): void {
    this.#live.get(itemId)?.delta(delta);
  }

  /** Sets the progress message of an MCP call. */
  progress(itemId: string, message: string): void {
    const cell = this.#live.get(itemId)?.cell();
    if (cell?.kind === "mcp") cell.progress = message;
  }

  /** Returns the current heading of the reasoning: its last bold text. */
  heading(): string | undefined {
    for (const live of this.#live.values()) {
      const cell = live.cell();
      if (cell?.kind !== "reasoning") continue;
      return [...cell.text.slice(-2000).matchAll(/\*\*([^*\n]{1,80})\*\*/g)].at(-1)?.[1];
    }
    return undefined;
  }

  /** Returns the changes of a pending patch, for its approval. */
  changesOf(itemId: string): readonly FileUpdateChange[] {
    const cell = this.#live.get(itemId)?.cell();
    return cell?.kind === "patch" ? cell.changes : [];
  }

  /** Updates the changes of a patch. */
  patchUpdated(itemId: string, changes: readonly FileUpdateChange[]): void {
    const cell = this.#live.get(itemId)?.cell();
    if (cell?.kind === "patch") cell.changes = changes;
  }

  /** Ends the turn and completes its running items. */
  turnEnded(isStopped: boolean): void {
    for (const [id, live] of this.#live) {
      const cells = live.complete(undefined, isStopped);
      this.add(...(this.#held.has(id) ? cells.map(declined) : cells));
      if (isStopped) this.#interrupted.add(id);
    }
    this.#endExploring();
    this.#live.clear();
    this.#ended.clear();
    this.#planId = undefined;
    this.#reviewResult = undefined;
  }

  /** Prints the text in front of a plan first: the message around it ends only after the plan. */
  #startPlan(id: string): void {
    this.#endPlan();
    for (const [messageId, live] of [...this.#live]) {
      if (live.flush === undefined) continue;
      this.add(...live.flush());
      // What follows the plan is shown below it.
      this.#live.delete(messageId);
      this.#live.set(messageId, live);
    }
    this.#planId = id;
  }

  /** Completes the plan, because the message around it continues. */
  #endPlan(): void {
    const live = this.#live.get(this.#planId ?? "");
    if (live === undefined || this.#planId === undefined) return;
    this.add(...live.complete(undefined));
    this.#live.delete(this.#planId);
    this.#ended.add(this.#planId);
    this.#planId = undefined;
  }

  /** Completes messages that were cut off by a steer or a lost connection. */
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

  /** Clears the transcript for another thread. */
  clear(): void {
    this.#live.clear();
    this.#ended.clear();
    this.#held.clear();
    this.#interrupted.clear();
    this.#exploring = [];
    this.#finished.clear();
  }
}

const startText = { agent: liveMessage, plan: liveProposal, reasoning: liveReasoning };

/** Orders stored items as they are shown live: a plan is stored before the message around it. */
function plansAfterMessages(items: readonly WireItem[]): WireItem[] {
  const ordered = [...items];
  for (let index = 0; index + 1 < ordered.length; index += 1) {
    const [plan, message] = [ordered[index], ordered[index + 1]];
    if (plan?.type !== "plan" || message?.type !== "agentMessage") continue;
    ordered.splice(index, 2, message, plan);
    index += 1;
  }
  return ordered;
}

/** Marks an item that still awaited approval when its turn ended. */
function declined(cell: Cell): Cell {
  if (cell.kind === "command") return { ...cell, item: { ...cell.item, status: "declined" } };
  return cell.kind === "patch" ? { ...cell, status: "declined" } : cell;
}
