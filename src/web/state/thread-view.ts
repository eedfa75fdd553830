import { batch, signal } from "@preact/signals";
import type { AppServerClient, ResultOf, ServerNotification } from "../../client/index.js";
import type { ThreadGoal } from "../../protocol/rpc/v2/goal.js";
import type { ThreadItem } from "../../protocol/rpc/v2/item.js";
import type { ThreadTokenUsage } from "../../protocol/rpc/v2/status.js";
import type { Turn, TurnPlanStep } from "../../protocol/rpc/v2/turn.js";
import { createEntry, type Entry, isRunning, type NoticeItem, textOf } from "./entries.js";
import { LiveText } from "./live-text.js";
import { storedPlans, storePlan } from "./stored-plans.js";

/** Facts of a turn besides its items. */
export type TurnFacts = Pick<Turn, "id" | "status" | "error" | "startedAt" | "durationMs">;

/** Settings of the next turns. */
export type ViewSettings = Pick<
  ResultOf<"thread/resume">,
  "model" | "reasoningEffort" | "approvalPolicy" | "sandbox" | "cwd"
>;

/** A plan of a turn. */
export interface Plan {
  explanation: string | null;
  steps: readonly TurnPlanStep[];
}

/**
 * The state of one thread, from pages of its history and from notifications.
 *
 * Items are identified by their id, so that an item that arrives twice is shown once. It is filled
 * again after each connect.
 */
export class ThreadView {
  readonly id: string;
  readonly entries = signal<readonly Entry[]>([]);
  readonly turns = signal<ReadonlyMap<string, TurnFacts>>(new Map());
  readonly plans = signal<ReadonlyMap<string, Plan>>(new Map());
  readonly diffs = signal<ReadonlyMap<string, string>>(new Map());
  readonly runningTurn = signal<string | undefined>(undefined);
  readonly settings = signal<ViewSettings | undefined>(undefined);
  readonly usage = signal<ThreadTokenUsage | undefined>(undefined);
  readonly goal = signal<ThreadGoal | undefined>(undefined);
  readonly state = signal<"loading" | "ready" | "failed">("loading");
  readonly problem = signal("");
  readonly hasOlder = signal(false);
  readonly isLoadingOlder = signal(false);
  #client: AppServerClient | undefined;
  /** The last entry of each item, by turn and item id. */
  #byItem = new Map<string, Entry>();
  #olderCursor: string | null = null;
  #firstChunk = 0;
  #lastChunk = 0;
  #lastChunkSize = 0;
  /** Notifications that arrived before the history. */
  #early: ServerNotification[] | undefined;
  #grown = new Set<Entry>();
  #flushTimer: ReturnType<typeof setTimeout> | undefined;
  #notices = 0;
  #copies = 0;

  constructor(id: string) {
    this.id = id;
  }

  /** Loads the end of the history and subscribes to what follows. */
  async open(client: AppServerClient): Promise<void> {
    if (this.#client === client && this.#early !== undefined) return; // it is being opened
    this.#client = client;
    this.#early = [];
    const threadId = this.id;
    try {
      const opened = await client.request("thread/resume", { threadId, excludeTurns: true });
      const cursor = opened.itemsBackwardsCursor;
      const [items, turns] = await Promise.all([
        cursor === null ? undefined : client.request("thread/items/list", this.#page(cursor)),
        client.request("thread/turns/list", { threadId, limit: 60, itemsView: "notLoaded" }),
      ]);
      if (this.#client !== client) return;
      batch(() => {
        this.#setSettings(opened);
        this.#replaceEntries((items?.data ?? []).toReversed());
        this.#olderCursor = items?.nextCursor ?? null;
        this.hasOlder.value = this.#olderCursor !== null;
        this.#setTurns(turns.data);
        const { status } = opened.thread;
        const running = turns.data.find((turn) => turn.status === "inProgress");
        this.runningTurn.value = status.type === "active" ? running?.id : undefined;
        this.plans.value = new Map(storedPlans(threadId, turns.data));
        this.state.value = "ready";
        this.problem.value = "";
        const early = this.#early ?? [];
        this.#early = undefined;
        for (const notification of early) this.apply(notification);
      });
    } catch (error) {
      if (this.#client !== client || client.signal.aborted) return;
      this.state.value = "failed";
      this.problem.value = error instanceof Error ? error.message : String(error);
      this.#early = undefined;
    }
  }

  /** Loads the page of items before the first one. */
  async loadOlder(): Promise<void> {
    const client = this.#client;
    const cursor = this.#olderCursor;
    if (client === undefined || cursor === null || this.isLoadingOlder.value) return;
    this.isLoadingOlder.value = true;
    try {
      const page = await client.request("thread/items/list", this.#page(cursor));
      if (this.#client !== client || this.#olderCursor !== cursor) return;
      batch(() => {
        this.#olderCursor = page.nextCursor;
        this.hasOlder.value = page.nextCursor !== null;
        const older = page.data.toReversed();
        const chunks = Math.ceil(older.length / chunkSize);
        const first = this.#firstChunk - chunks;
        const entries = older.map(({ item, turnId }, at) =>
          this.#create(item, turnId, { chunk: first + Math.floor(at / chunkSize), isOld: true }),
        );
        this.#firstChunk = first;
        this.entries.value = [...entries, ...this.entries.value];
      });
      await this.#loadTurnsOf(client, page.data[0]?.turnId);
    } catch (error) {
      if (!client.signal.aborted) console.warn(error);
    } finally {
      this.isLoadingOlder.value = false;
    }
  }

  /** Applies a notification of this thread. */
  apply(notification: ServerNotification): void {
    if (this.#early !== undefined) {
      this.#early.push(notification);
      return;
    }
    switch (notification.method) {
      case "turn/started":
        this.#setTurns([notification.params.turn]);
        this.runningTurn.value = notification.params.turn.id;
        return;
      case "turn/completed":
        this.#endTurn(notification.params.turn);
        return;
      case "item/started":
        this.#startItem(notification.params.item, notification.params.turnId);
        return;
      case "item/completed":
        this.#completeItem(notification.params.item, notification.params.turnId);
        return;
      case "item/agentMessage/delta":
      case "item/plan/delta":
      case "item/commandExecution/outputDelta":
      case "item/reasoning/summaryTextDelta":
      case "item/reasoning/textDelta":
        this.#grow(notification.params, notification.params.delta);
        return;
      case "item/reasoning/summaryPartAdded":
        this.#grow(notification.params, "\n\n");
        return;
      case "item/fileChange/patchUpdated":
        this.#update(notification.params, { changes: notification.params.changes });
        return;
      case "item/mcpToolCall/progress":
        this.#grow(notification.params, `${notification.params.message}\n`);
        return;
      case "turn/plan/updated": {
        const { turnId, explanation, plan } = notification.params;
        const shown = { explanation, steps: plan };
        this.plans.value = new Map(this.plans.value).set(turnId, shown);
        storePlan(this.id, turnId, shown);
        return;
      }
      case "turn/diff/updated": {
        const { turnId, diff } = notification.params;
        this.diffs.value = new Map(this.diffs.value).set(turnId, diff);
        return;
      }
      case "thread/tokenUsage/updated":
        this.usage.value = notification.params.tokenUsage;
        return;
      case "thread/goal/updated":
        this.goal.value = notification.params.goal;
        return;
      case "thread/goal/cleared":
        this.goal.value = undefined;
        return;
      case "thread/settings/updated": {
        const { effort, sandboxPolicy, ...settings } = notification.params.threadSettings;
        this.#setSettings({ ...settings, reasoningEffort: effort, sandbox: sandboxPolicy });
        return;
      }
      case "error":
        if (notification.params.willRetry) {
          this.notice("warning", notification.params.error.message, notification.params.turnId);
        }
        return;
      case "warning":
        this.notice("warning", notification.params.message);
        return;
      case "thread/reverted":
      case "thread/resync":
        if (this.#client !== undefined) void this.open(this.#client);
        return;
    }
  }

  /** Adds a line that is no item of the thread. */
  notice(level: NoticeItem["level"], text: string, turnId = this.runningTurn.value ?? ""): void {
    const id = `notice-${++this.#notices}`;
    this.#append({ type: "notice", id, level, text }, turnId, false);
  }

  #page(cursor: string) {
    const { id: threadId } = this;
    return { threadId, cursor, limit: pageSize, sortDirection: "desc" as const };
  }

  async #loadTurnsOf(client: AppServerClient, turnId: string | undefined): Promise<void> {
    if (turnId === undefined || this.turns.value.has(turnId)) return;
    const { id: threadId } = this;
    let cursor: string | null | undefined;
    for (let pages = 0; pages < 20 && cursor !== null; pages++) {
      const page: ResultOf<"thread/turns/list"> = await client.request("thread/turns/list", {
        threadId,
        limit: 1000,
        itemsView: "notLoaded",
        ...(cursor === undefined ? {} : { cursor }),
      });
      this.#setTurns(page.data);
      cursor = page.nextCursor;
      if (this.turns.value.has(turnId)) return;
    }
  }

  /**
   * Shows the end of the history. Older pages stay if they continue into it; what was running and
   * is not in the history follows as notifications.
   */
  #replaceEntries(history: readonly { item: ThreadItem; turnId: string }[]): void {
    const known = this.entries.value;
    const [first] = history;
    const overlap = known.findIndex(
      ({ id, turnId }) => id === first?.item.id && turnId === first.turnId,
    );
    const kept = overlap < 0 ? [] : known.slice(0, overlap);
    if (overlap < 0) {
      this.#firstChunk = 0;
      this.#lastChunk = 0;
    }
    this.#byItem = new Map(kept.map((entry) => [keyOf(entry.turnId, entry.id), entry]));
    this.#lastChunk++;
    this.#lastChunkSize = 0;
    const entries = history.map(({ item, turnId }) =>
      this.#create(item, turnId, { chunk: this.#nextChunk(), isOld: true }),
    );
    this.entries.value = [...kept, ...entries];
  }

  #nextChunk(): number {
    if (this.#lastChunkSize >= chunkSize) {
      this.#lastChunk++;
      this.#lastChunkSize = 0;
    }
    this.#lastChunkSize++;
    return this.#lastChunk;
  }

  #create(
    item: ThreadItem | NoticeItem,
    turnId: string,
    options: { chunk: number; isRunning?: boolean; isOld?: boolean },
  ): Entry {
    const place = keyOf(turnId, item.id);
    const key = this.#byItem.has(place) ? `${place}/${++this.#copies}` : place;
    const running = options.isRunning || isRunning(item);
    const entry = createEntry(item, { turnId, key, ...options, isRunning: running });
    this.#byItem.set(place, entry);
    return entry;
  }

  #append(item: ThreadItem | NoticeItem, turnId: string, isRunning: boolean): void {
    const entry = this.#create(item, turnId, { chunk: this.#nextChunk(), isRunning });
    this.entries.value = [...this.entries.value, entry];
  }

  #startItem(item: ThreadItem, turnId: string): void {
    const entry = this.#byItem.get(keyOf(turnId, item.id));
    if (entry?.live.value !== undefined) {
      entry.item.value = item;
      entry.live.value = new LiveText(textOf(item));
    } else if (entry === undefined || !entry.isOld) {
      this.#append(item, turnId, true);
    }
  }

  #completeItem(item: ThreadItem, turnId: string): void {
    const entry = this.#byItem.get(keyOf(turnId, item.id));
    if (entry === undefined) {
      this.#append(item, turnId, false);
      return;
    }
    batch(() => {
      this.#grown.delete(entry);
      entry.item.value = item;
      entry.live.value = undefined;
    });
  }

  #update({ turnId, itemId }: ItemPlace, change: Partial<ThreadItem>): void {
    const entry = this.#byItem.get(keyOf(turnId, itemId));
    if (entry !== undefined) entry.item.value = { ...entry.item.value, ...change } as ThreadItem;
  }

  /** Appends to a text; the page is updated for many deltas at once. */
  #grow({ turnId, itemId }: ItemPlace, delta: string): void {
    const entry = this.#byItem.get(keyOf(turnId, itemId));
    if (entry?.live.value === undefined) return;
    entry.live.value.append(delta);
    this.#grown.add(entry);
    this.#flushTimer ??= setTimeout(() => this.#flush(), frameMs);
  }

  #flush(): void {
    this.#flushTimer = undefined;
    batch(() => {
      for (const entry of this.#grown) entry.grown.value++;
      this.#grown.clear();
    });
  }

  #setTurns(turns: readonly Turn[]): void {
    const all = new Map(this.turns.value);
    for (const { id, status, error, startedAt, durationMs } of turns) {
      all.set(id, { id, status, error, startedAt, durationMs });
    }
    this.turns.value = all;
  }

  #endTurn(turn: Turn): void {
    batch(() => {
      this.#setTurns([turn]);
      if (this.runningTurn.value === turn.id) this.runningTurn.value = undefined;
      for (const entry of this.entries.value) {
        if (entry.turnId !== turn.id || entry.live.value === undefined) continue;
        const item = entry.item.value;
        if (item.type === "commandExecution" && item.processId !== null) continue;
        this.#completeItem(endedItem(entry), turn.id);
      }
    });
  }

  #setSettings(settings: ViewSettings): void {
    const { model, reasoningEffort, approvalPolicy, sandbox, cwd } = settings;
    this.settings.value = { model, reasoningEffort, approvalPolicy, sandbox, cwd };
  }
}

interface ItemPlace {
  turnId: string;
  itemId: string;
}

function keyOf(turnId: string, itemId: string): string {
  return `${turnId}/${itemId}`;
}

/** Returns an item whose turn has ended before it was completed, with the text so far. */
function endedItem({ item, live }: Entry): ThreadItem {
  const value = item.value as ThreadItem;
  const text = `${live.value?.head ?? ""}${live.value?.tail ?? ""}`;
  switch (value.type) {
    case "agentMessage":
    case "plan":
      return { ...value, text };
    case "commandExecution":
      return { ...value, aggregatedOutput: text, status: "failed" };
    case "reasoning":
      return { ...value, summary: [text] };
    default:
      return "status" in value ? ({ ...value, status: "failed" } as ThreadItem) : value;
  }
}

/** Items of a page of the history, and of a chunk of rows that is rendered at once. */
const pageSize = 100;
const chunkSize = 20;
/** Time between updates of growing texts. */
const frameMs = 40;
