import type { RateLimitSnapshot, ThreadTokenUsage } from "../../protocol/rpc/v2/status.js";
import type { Settings } from "./settings.js";

/** A turn that runs. */
interface RunningTurn {
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

/** The connection to the model was lost and is tried again. */
interface Retry {
  /** When that was told, in milliseconds since 1970. */
  since: number;
  text: string;
  /** When it is tried again, where the server says it. */
  until: number | undefined;
}

/** Reads when the next try is from words such as `…; retrying 2/5 in 1.9s…`. */
export function readRetry(message: string, now: number): Retry {
  const told = /^(.*?;? ?retrying(?: \d+\/\d+)?) in ([\d.]+)(ms|s)\u2026?$/s.exec(message);
  if (told === null) return { since: now, text: message, until: undefined };
  const [, text = message, amount = "0", unit] = told;
  return { since: now, text, until: now + Number(amount) * (unit === "s" ? 1000 : 1) };
}

/** The wait as it is shown: how long it still takes, or for how long it lasts. */
export function retryText({ text, since, until }: Retry, now: number): string {
  const seconds = (ms: number) => `${Math.max(0, Math.ceil(ms / 1000))}s`;
  if (until === undefined) return `${text} (${seconds(now - since)} ago)`;
  return until > now ? `${text} in ${seconds(until - now)}` : `${text} now`;
}
