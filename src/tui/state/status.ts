import type { RateLimitSnapshot, ThreadTokenUsage } from "../../protocol/rpc/v2/status.js";
import type { Retry } from "./retry.js";
import type { Settings } from "./settings.js";

/** A turn that runs. */
export interface RunningTurn {
  id: string;
  startedAt: number;
}

/** What the lines around the composer tell: what runs, with what, and how much is used. */
export class Status {
  settings: Settings | undefined;
  threadId: string | undefined;
  threadName: string | undefined;
  turn: RunningTurn | undefined;
  usage: ThreadTokenUsage | undefined;
  limits: RateLimitSnapshot | undefined;
  /** The connection to the model was lost, and is tried again. */
  retry: Retry | undefined;
  /** Files the current conversation changed, as one diff. */
  diff = "";

  get isWorking(): boolean {
    return this.turn !== undefined;
  }

  turnStarted(id: string, now: number): void {
    if (this.turn?.id === id) return;
    this.turn = { id, startedAt: now };
    this.retry = undefined;
  }

  turnEnded(): void {
    this.turn = undefined;
    this.retry = undefined;
  }

  /** How much of what the model can hold is free, in percent; nothing when that is not known. */
  contextLeft(): number | undefined {
    const window = this.usage?.modelContextWindow;
    if (!window || this.usage === undefined) return undefined;
    // The first instructions are always there; they are not the user's to free.
    const fixed = 12_000;
    if (window <= fixed) return 0;
    const used = Math.max(0, this.usage.last.totalTokens - fixed);
    return Math.round(Math.min(1, Math.max(0, 1 - used / (window - fixed))) * 100);
  }

  clear(): void {
    this.turnEnded();
    this.threadName = undefined;
    this.usage = undefined;
    this.diff = "";
  }
}
