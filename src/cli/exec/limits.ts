import type { ServerNotification } from "../../client/index.js";
import type { ExecLimits } from "./exec-request.js";

/**
 * Stops a turn at the first limit of the command line that is reached.
 *
 * A turn whose final answer exceeds a limit still completes: it is stopped only if the model continues.
 */
export class LimitWatch {
  readonly #limits: ExecLimits;
  readonly #stop = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  #isRunning = false;
  #requests = 0;
  #tokens = 0;
  #total = 0;
  #hasCalls = false;
  #exceeded: string | undefined;

  constructor(limits: ExecLimits) {
    this.#limits = limits;
    if (limits.seconds === Number.POSITIVE_INFINITY) return;
    const ms = Math.min(limits.seconds * 1000, longestTimerMs);
    this.#timer = setTimeout(() => this.#end(`time limit of ${limits.seconds} s reached`), ms);
  }

  /** Aborts when a limit is reached. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Description of the limit that was reached. */
  get reached(): string | undefined {
    return this.#stop.signal.aborted ? String(this.#stop.signal.reason) : undefined;
  }

  observe(notification: ServerNotification): void {
    if (notification.method === "turn/started") {
      this.#isRunning = true;
    } else if (notification.method === "thread/tokenUsage/updated") {
      const { last, total } = notification.params.tokenUsage;
      // Usage before the turn is reported too, and the same usage may be reported twice.
      if (this.#isRunning && total.totalTokens !== this.#total) this.#count(last.totalTokens);
      this.#total = total.totalTokens;
    } else if (notification.method === "item/started") {
      const { type } = notification.params.item;
      if (type === "userMessage") return;
      // An item that starts after a limit shows that the turn continues.
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
    this.#requests++;
    this.#tokens += tokens;
    const { turns, tokens: most } = this.#limits;
    if (this.#requests >= turns) this.#exceeded ??= `limit of ${turns} model requests reached`;
    if (this.#tokens > most) this.#exceeded ??= `token limit exceeded (${this.#tokens} used)`;
    if (this.#exceeded !== undefined && this.#hasCalls) this.#end(this.#exceeded);
    this.#hasCalls = false;
  }

  #end(limit: string): void {
    this.#stop.abort(limit);
  }
}

const longestTimerMs = 2 ** 31 - 1;
