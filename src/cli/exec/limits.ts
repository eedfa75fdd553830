import type { ServerNotification } from "../../client/index.js";
import type { ExecLimits } from "./exec-request.js";

/**
 * Watches a turn for the limits of the command line, and ends it at the first that is reached.
 *
 * A turn whose last answer passes a limit has its answer all the same: it is ended only when the
 * model wants to go on.
 */
export class LimitWatch {
  readonly #limits: ExecLimits;
  readonly #stop = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  #isRunning = false;
  #asked = 0;
  #tokens = 0;
  #total = 0;
  #hasCalls = false;
  #exceeded: string | undefined;

  constructor(limits: ExecLimits) {
    this.#limits = limits;
    if (limits.seconds === Number.POSITIVE_INFINITY) return;
    const ms = Math.min(limits.seconds * 1000, longestTimerMs);
    this.#timer = setTimeout(() => this.#end(`${limits.seconds} s are over`), ms);
  }

  /** Aborts when a limit is reached. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Which limit was reached, for a person. */
  get reached(): string | undefined {
    return this.#stop.signal.aborted ? String(this.#stop.signal.reason) : undefined;
  }

  hear(notification: ServerNotification): void {
    if (notification.method === "turn/started") {
      this.#isRunning = true;
    } else if (notification.method === "thread/tokenUsage/updated") {
      const { last, total } = notification.params.tokenUsage;
      // What was used before the turn is told too, and the same may be told again.
      if (this.#isRunning && total.totalTokens !== this.#total) this.#count(last.totalTokens);
      this.#total = total.totalTokens;
    } else if (notification.method === "item/started") {
      const { type } = notification.params.item;
      if (type === "userMessage") return;
      // After a limit, whatever begins shows that the turn goes on.
      if (this.#exceeded !== undefined) this.#end(this.#exceeded);
      if (type !== "agentMessage" && type !== "reasoning" && type !== "webSearch") {
        this.#hasCalls = true;
      }
    }
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #count(tokens: number): void {
    this.#asked++;
    this.#tokens += tokens;
    const { turns, tokens: most } = this.#limits;
    const often = turns === 1 ? "once" : `${turns} times`;
    if (this.#asked >= turns) this.#exceeded ??= `the model was asked ${often}`;
    if (this.#tokens > most) this.#exceeded ??= `${this.#tokens} tokens are used`;
    if (this.#exceeded !== undefined && this.#hasCalls) this.#end(this.#exceeded);
    this.#hasCalls = false;
  }

  #end(limit: string): void {
    this.#stop.abort(limit);
  }
}

const longestTimerMs = 2 ** 31 - 1;
