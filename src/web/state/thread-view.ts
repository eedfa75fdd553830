import { batch, signal } from "@preact/signals";
import type { AppServerClient, ResultOf, ServerNotification } from "../../client/index.js";
import type { ThreadGoal } from "../../protocol/rpc/v2/goal.js";
import type { ThreadItem } from "../../protocol/rpc/v2/item.js";
import type { QueuedSubmission } from "../../protocol/rpc/v2/queue.js";
import type { ThreadRewoundNotification } from "../../protocol/rpc/v2/rewind.js";
import type { ThreadTokenUsage } from "../../protocol/rpc/v2/status.js";
import type { Turn, TurnPlan } from "../../protocol/rpc/v2/turn.js";
import type { NoticeItem } from "./entries.js";
import { EntryList, type HistoryItem } from "./entry-list.js";
import { noticesOf } from "./notices.js";
import { Progress } from "./progress.js";

/** Facts of a turn besides its items. */
export type TurnFacts = Pick<Turn, "id" | "status" | "error" | "startedAt" | "durationMs">;

/** A rewind that has happened. */
export type Rewound = Pick<ThreadRewoundNotification, "kind" | "what">;

/** Settings of the next turns. */
export type ViewSettings = Pick<
  ResultOf<"thread/resume">,
  "model" | "reasoningEffort" | "approvalPolicy" | "sandbox" | "cwd"
> & { isPlanning: boolean };

/**
 * The state of one thread, from pages of its history and from notifications.
 *
 * It is filled again after each connect.
 */
export class ThreadView {
  readonly id: string;
  readonly #list = new EntryList();
  readonly entries = this.#list.entries;
  readonly turns = signal<ReadonlyMap<string, TurnFacts>>(new Map());
  readonly plans = signal<ReadonlyMap<string, TurnPlan>>(new Map());
  readonly diffs = signal<ReadonlyMap<string, string>>(new Map());
  readonly runningTurn = signal<string | undefined>(undefined);
  readonly settings = signal<ViewSettings | undefined>(undefined);
  readonly usage = signal<ThreadTokenUsage | undefined>(undefined);
  /** Messages that start turns of their own, in order. */
  readonly queue = signal<readonly QueuedSubmission[]>([]);
  readonly progress = new Progress();
  readonly goal = signal<ThreadGoal | undefined>(undefined);
  /** The last rewind, until the next turn. */
  readonly rewound = signal<Rewound | undefined>(undefined);
  readonly state = signal<"loading" | "ready" | "failed">("loading");
  readonly problem = signal("");
  readonly hasOlder = signal(false);
  readonly isLoadingOlder = signal(false);
  /** Number of messages that were sent from this page; each shows the end of the conversation. */
  readonly sentCount = signal(0);
  #client: AppServerClient | undefined;
  #olderCursor: string | null = null;
  /** Notifications that arrived before the history. */
  #early: ServerNotification[] | undefined;
  #notices = 0;

  constructor(id: string) {
    this.id = id;
  }

  /** Shows a recorded history that does not change. */
  fill(items: readonly HistoryItem[], turns: readonly Turn[]): void {
    batch(() => {
      this.#list.replace(items);
      this.#setTurns(turns);
      this.state.value = "ready";
    });
  }

  /** Loads the end of the history and subscribes to what follows. */
  async open(client: AppServerClient): Promise<void> {
    if (this.#client === client && this.#early !== undefined) return; // it is being opened
    const { unrecorded } = this.#list;
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
      this.#loadQueue(client).catch(() => undefined); // a fleet has no queues
      if (this.#client !== client) return;
      batch(() => {
        this.settings.value = {
          ...settingsOf(opened),
          isPlanning: opened.collaborationMode?.mode === "plan",
        };
        this.#list.replace((items?.data ?? []).toReversed());
        this.#olderCursor = items?.nextCursor ?? null;
        this.hasOlder.value = this.#olderCursor !== null;
        this.#setTurns(turns.data);
        const { status } = opened.thread;
        const running = turns.data.find((turn) => turn.status === "inProgress");
        this.runningTurn.value = status.type === "active" ? running?.id : undefined;
        for (const entry of unrecorded) {
          this.#list.restore(entry, entry.turnId === this.runningTurn.value);
        }
        this.state.value = "ready";
        this.problem.value = "";
        const early = this.#early ?? [];
        this.#early = undefined;
        for (const notification of early) this.apply(notification);
      });
      this.#loadUsage();
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
        this.#list.prepend(page.data.toReversed());
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
    this.progress.apply(notification);
    for (const { level, text } of noticesOf(notification)) this.notice(level, text);
    switch (notification.method) {
      case "turn/started":
        this.#setTurns([notification.params.turn]);
        this.runningTurn.value = notification.params.turn.id;
        this.rewound.value = undefined;
        return;
      case "turn/completed":
        this.#endTurn(notification.params.turn);
        return;
      case "item/started":
        this.#startItem(notification.params);
        return;
      case "item/completed":
        this.#list.complete(notification.params.item, notification.params.turnId);
        return;
      case "item/agentMessage/delta":
      case "item/plan/delta":
      case "item/commandExecution/outputDelta":
      case "item/reasoning/summaryTextDelta":
      case "item/reasoning/textDelta":
        this.#list.grow(notification.params, notification.params.delta);
        return;
      case "item/reasoning/summaryPartAdded":
        this.#list.grow(notification.params, "\n\n");
        return;
      case "item/fileChange/patchUpdated":
        this.#list.update(notification.params, { changes: notification.params.changes });
        return;
      case "item/mcpToolCall/progress":
        this.#list.grow(notification.params, `${notification.params.message}\n`);
        return;
      case "turn/plan/updated": {
        const { turnId, explanation, plan } = notification.params;
        this.plans.value = new Map(this.plans.value).set(turnId, { explanation, plan });
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
      case "thread/queue/changed":
        if (this.#client !== undefined) this.#loadQueue(this.#client).catch(() => undefined);
        return;
      case "thread/goal/updated":
        this.goal.value = notification.params.goal;
        return;
      case "thread/goal/cleared":
        this.goal.value = undefined;
        return;
      case "thread/settings/updated": {
        const { threadSettings: changed } = notification.params;
        const { effort: reasoningEffort, sandboxPolicy: sandbox } = changed;
        const isPlanning = changed.collaborationMode.mode === "plan";
        this.settings.value = {
          ...settingsOf({ ...changed, reasoningEffort, sandbox }),
          isPlanning,
        };
        return;
      }
      case "thread/rewound":
        this.#applyRewind(notification.params);
        return;
      case "thread/reverted":
      case "thread/resync":
        if (this.#client !== undefined) void this.open(this.#client);
        return;
    }
  }

  /** Shows an item that has started, or a message of an ended turn, which no history has. */
  #startItem({ item, turnId }: { item: ThreadItem; turnId: string }): void {
    const status = this.turns.value.get(turnId)?.status ?? "inProgress";
    if (item.type === "agentMessage" && status !== "inProgress") this.#list.addCutOff(item, turnId);
    else this.#list.start(item, turnId);
  }

  /** Adds a line that is no item of the thread. */
  notice(level: NoticeItem["level"], text: string): void {
    const id = `notice-${++this.#notices}`;
    const turnId = this.runningTurn.value ?? "";
    this.#list.append({ type: "notice", id, level, text }, turnId, false);
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

  #setTurns(turns: readonly Turn[]): void {
    const all = new Map(this.turns.value);
    const plans = new Map(this.plans.value);
    for (const { id, status, error, startedAt, durationMs, plan } of turns) {
      all.set(id, { id, status, error, startedAt, durationMs });
      if (plan !== undefined) plans.set(id, plan);
    }
    this.turns.value = all;
    if (turns.some(({ plan }) => plan !== undefined)) this.plans.value = plans;
  }

  #endTurn(turn: Turn): void {
    batch(() => {
      this.#setTurns([turn]);
      if (this.runningTurn.value === turn.id) this.runningTurn.value = undefined;
      this.#list.endTurn(turn.id);
    });
    this.#loadUsage();
  }

  #loadUsage(): void {
    if (this.#client === undefined) return;
    this.progress.loadUsage(this.#client, this.id).catch(() => undefined); // a fleet has none
  }

  /** Reads the conversation again; turns of another branch have gone, with their plans and changes. */
  #applyRewind({ kind, what }: Rewound): void {
    batch(() => {
      this.rewound.value = { kind, what };
      if (what === "files") return;
      this.turns.value = new Map();
      this.plans.value = new Map();
      this.diffs.value = new Map();
    });
    if (what !== "files" && this.#client !== undefined) void this.open(this.#client);
  }

  async #loadQueue(client: AppServerClient): Promise<void> {
    const { data } = await client.request("thread/queue/list", { threadId: this.id });
    this.queue.value = data;
  }
}

function settingsOf(settings: Omit<ViewSettings, "isPlanning">): Omit<ViewSettings, "isPlanning"> {
  const { model, reasoningEffort, approvalPolicy, sandbox, cwd } = settings;
  return { model, reasoningEffort, approvalPolicy, sandbox, cwd };
}

/** Items of a page of the history. */
const pageSize = 100;
