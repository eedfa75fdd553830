import { CodexError } from "../../protocol/error.js";
import type {
  Event,
  EventMsg,
  GuardianAssessmentEvent,
  Op,
  TokenUsageInfo,
} from "../../protocol/types.js";
import { ThreadWork } from "../../rollout/index.js";

/**
 * State of a live thread: the running turn, pending requests to clients, and token usage.
 *
 * Derived from what is submitted and from the events, each of which it reads once, before the
 * listeners of the thread do. No other class decides whether a turn is running.
 */
export class ThreadState {
  /** Token usage so far; `undefined` until the first report. */
  usage: TokenUsageInfo | undefined;
  /** Requests that wait for an answer of a client. */
  readonly requests = new PendingRequests();
  /** Goal and queue. */
  readonly work = new ThreadWork();
  /** Denials of the automatic reviewer that the user may overrule, by id. */
  readonly denials = new Map<string, GuardianAssessmentEvent>();
  /** The last turn that ended in this process. */
  lastTurnId: string | undefined;
  #running: RunningTurn | undefined;
  /** Submissions that start a turn, unless they join the running one. */
  #queued = new Set<string>();
  /** Turns that a client was promised and that have not started. */
  #announced = new Set<string>();
  #endWaiters: ((reason: string) => void)[] = [];
  #replies = new Map<string, { type: EventMsg["type"]; reply: Reply }>();

  /** True while a turn is running or about to start. */
  get isBusy(): boolean {
    return this.#running !== undefined || this.#queued.size > 0;
  }

  /** The running turn. */
  get running(): RunningTurn | undefined {
    return this.#running;
  }

  /** Id of the running turn, or else of the last one that was announced. */
  get currentTurnId(): string | undefined {
    return this.#running?.id ?? [...this.#announced].at(-1);
  }

  /** Promises a turn that has been submitted under the same id. */
  announce(turnId: string): void {
    this.#announced.add(turnId);
  }

  isAnnounced(turnId: string): boolean {
    return this.#announced.has(turnId);
  }

  /** Withdraws a promised turn; returns false if there was none. */
  withdraw(turnId: string): boolean {
    return this.#announced.delete(turnId);
  }

  /** Resolves when the turn ends: with the reason if it was aborted, else `interrupted`. */
  turnEnd(): Promise<string> {
    return new Promise((resolve) => this.#endWaiters.push(resolve));
  }

  /** Resolves with the event of a type under a submission id; rejects if an error comes instead. */
  reply<Type extends EventMsg["type"]>(
    id: string,
    type: Type,
  ): Promise<Extract<EventMsg, { type: Type }>> {
    return this.onReply(id, type, (msg) => msg);
  }

  /** The same, with the result of a function that is called before listeners receive the event. */
  onReply<Type extends EventMsg["type"], Result>(
    id: string,
    type: Type,
    toResult: (msg: Extract<EventMsg, { type: Type }>) => Result,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const settle = (msg: EventMsg) => resolve(toResult(msg as Extract<EventMsg, { type: Type }>));
      this.#replies.set(id, { type, reply: { resolve: settle, reject } });
    });
  }

  /** Takes over the token usage, the denials, the goal and the queue from the events of a resumed conversation. */
  restore(messages: readonly EventMsg[]): void {
    for (const msg of messages) {
      this.#countTokens(msg);
      this.#noteReview(msg);
      this.work.apply(msg);
    }
  }

  onSubmit(op: Op, id: string): void {
    const { type } = op;
    if (type === "compact" || type === "review") this.#queued.add(id);
    if ((type === "user_input" || type === "user_turn") && op.items.length > 0) {
      this.#queued.add(id);
    }
  }

  /** Reads an event of the engine. */
  onEvent(event: Event): void {
    const { id, msg, turn_id = id } = event;
    switch (msg.type) {
      case "task_started":
        this.#running = { id: turn_id, submissionId: id };
        this.#queued.delete(id);
        this.#announced.delete(id);
        break;
      case "task_complete":
        this.lastTurnId = turn_id;
        this.#endTurn("interrupted");
        this.requests.close();
        break;
      case "turn_aborted":
        // An interrupt while no turn is running is answered under its own id.
        if (id === this.#running?.submissionId || this.#queued.has(id)) {
          this.lastTurnId = turn_id;
          this.#endTurn(msg.reason);
        }
        this.requests.close();
        break;
      case "error":
        // A rejected submission starts no turn. An error inside a turn is followed by its end.
        if (this.#queued.delete(id) && !this.isBusy) this.#endTurn("interrupted");
        break;
      case "token_count":
        this.#countTokens(msg);
        break;
      case "guardian_assessment":
        this.#noteReview(msg);
        break;
      case "thread_goal_updated":
      case "thread_goal_cleared":
      case "thread_queue_changed":
        this.work.apply(msg);
        break;
      case "question_answered":
        this.requests.onAnswer(msg.key, msg.op as Op);
        break;
      case "exec_approval_request":
      case "apply_patch_approval_request":
      case "request_user_input":
      case "request_permissions":
        this.requests.add(msg.call_id, event);
        break;
      case "dynamic_tool_call_request":
        this.requests.add(msg.callId, event);
        break;
      case "elicitation_request":
        this.requests.add(`${msg.server_name} ${msg.id}`, event);
        break;
    }
    if (this.#replies.size > 0) this.#settleReply(id, msg);
  }

  /** Ends the turn and rejects the replies that are still awaited: the engine has ended. */
  close(threadId: string): void {
    this.#endTurn("interrupted");
    this.requests.close();
    for (const { reply } of this.#replies.values()) {
      reply.reject(new CodexError("thread_not_found", `Thread ${threadId} has ended`));
    }
    this.#replies.clear();
  }

  #countTokens(msg: EventMsg): void {
    if (msg.type === "token_count" && msg.info != null) this.usage = msg.info;
  }

  #noteReview(msg: EventMsg): void {
    if (msg.type !== "guardian_assessment") return;
    // The engine has the action to the letter.
    const { exact_action: _, ...review } = msg;
    if (msg.status !== "denied") this.denials.delete(msg.id);
    else this.denials.set(msg.id, review);
    const [oldest] = this.denials.keys();
    if (this.denials.size > mostDenials && oldest !== undefined) this.denials.delete(oldest);
  }

  #endTurn(reason: string): void {
    this.#running = undefined;
    // Input submitted during the turn has joined it; a submission that starts another reports so.
    this.#queued.clear();
    for (const resolve of this.#endWaiters.splice(0)) resolve(reason);
  }

  #settleReply(id: string, msg: EventMsg): void {
    const awaited = this.#replies.get(id);
    if (awaited === undefined) return;
    if (msg.type === awaited.type) awaited.reply.resolve(msg);
    else if (msg.type === "error") {
      awaited.reply.reject(new CodexError("invalid_request", msg.message));
    } else return;
    this.#replies.delete(id);
  }
}

/** As many as the engine stores. */
const mostDenials = 50;

/** Settles a reply that is awaited. */
interface Reply {
  resolve(msg: EventMsg): void;
  reject(error: Error): void;
}

/** A turn and the submission that started it, whose id its events carry. */
export interface RunningTurn {
  readonly id: string;
  readonly submissionId: string;
}

/** Requests of a thread that wait for a client. The first answer of any client settles one. */
export class PendingRequests {
  /** True if the engine reports which answer counts, because clients of other servers answer too. */
  areSettledByEvents = false;
  #pending = new Map<string, { event: Event; settled: AbortController }>();

  /** The events that carry the requests. */
  get events(): Event[] {
    return [...this.#pending.values()].map(({ event }) => event);
  }

  /**
   * `key` is the id of the call, or the MCP server and the id of its request. A request that is repeated while it is
   * pending stays the same.
   */
  add(key: string, event: Event): void {
    if (!this.#pending.has(key)) this.#pending.set(key, { event, settled: new AbortController() });
  }

  /** Signal that aborts when the request is settled or its turn ends. */
  signal(key: string): AbortSignal | undefined {
    return this.#pending.get(key)?.settled.signal;
  }

  /** Claims the right to answer; returns false if the request is no longer pending. */
  settle(key: string): boolean {
    if (this.areSettledByEvents) return this.#pending.has(key);
    return this.#settle(key, new Error("answered"));
  }

  /** Settles a request by the answer that counts, which becomes the reason of its signal. */
  onAnswer(key: string, op: Op): void {
    // A request that is repeated after its answer has a number behind its key.
    this.#settle(key.replace(/#\d+$/, ""), op);
  }

  #settle(key: string, reason: Error | Op): boolean {
    const found = this.#pending.get(key);
    this.#pending.delete(key);
    found?.settled.abort(reason);
    return found !== undefined;
  }

  /** Settles all requests without an answer. */
  close(): void {
    for (const key of [...this.#pending.keys()]) this.#settle(key, new Error("answered"));
  }
}
