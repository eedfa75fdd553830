import type { RateLimitSnapshot, ThreadTokenUsage } from "../../protocol/rpc/v2/status.js";
import type { Retry } from "./retry.js";
import type { Settings } from "./settings.js";

/** A turn that runs. */
export interface RunningTurn {
  id: string;
  startedAt: number;
}

/** A question that waits for the user: an approval, or an answer in words. */
export interface PendingQuestion {
  kind: "approval" | "answer";
}

/** What the lines around the composer tell: what runs, with what, and how much is used. */
export class Status {
  settings: Settings | undefined;
  threadId: string | undefined;
  threadName: string | undefined;
  turn: RunningTurn | undefined;
  /** The connection to the server is lost and being restored. */
  isDisconnected = false;
  /** The session has a turn, so that it can be resumed. */
  hasTurns = false;
  usage: ThreadTokenUsage | undefined;
  limits: RateLimitSnapshot | undefined;
  /** The connection to the model was lost, and is tried again. */
  retry: Retry | undefined;
  /** Files the current conversation changed, as one diff. */
  diff = "";
  readonly #pending: PendingQuestion[] = [];

  get isWorking(): boolean {
    return this.turn !== undefined;
  }

  turnStarted(id: string, now: number): void {
    if (this.turn?.id === id) return;
    this.turn = { id, startedAt: now };
    this.hasTurns = true;
    this.retry = undefined;
  }

  turnEnded(): void {
    this.turn = undefined;
    this.retry = undefined;
  }

  /** The question that waits longest for the user. */
  get pending(): PendingQuestion | undefined {
    return this.#pending[0];
  }

  /** Records that the user has been asked; call the function returned when the question is over. */
  asked(kind: PendingQuestion["kind"]): () => void {
    const question = { kind };
    this.#pending.push(question);
    return () => {
      this.#pending.splice(this.#pending.indexOf(question), 1);
    };
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
    this.hasTurns = false;
    this.usage = undefined;
    this.diff = "";
  }
}
