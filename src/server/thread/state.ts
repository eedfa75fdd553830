import { createDeferred, type Deferred } from "../../lib/deferred.js";
import { CodexError } from "../../protocol/error.js";
import type { Event, EventMsg, Op } from "../../protocol/types.js";
import { weigh } from "../../transport/index.js";

/** Knows from what goes in and comes out whether a turn runs, and tells when it ends. */
export class TurnWatch {
  #running: string | undefined;
  #turnId: string | undefined;
  /** Submissions that will start a turn, unless they join the one that runs. */
  #awaited = new Set<string>();
  #waiting: ((reason: string) => void)[] = [];

  get isBusy(): boolean {
    return this.#running !== undefined || this.#awaited.size > 0;
  }

  /** The turn that runs, if one does. */
  get turnId(): string | undefined {
    return this.#turnId;
  }

  /** Resolves with why the turn ended: the reason of its abort, if it had one. */
  nextEnd(): Promise<string> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  onSubmit(op: Op, id: string): void {
    const { type } = op;
    if (type === "compact" || type === "review") this.#awaited.add(id);
    if ((type === "user_input" || type === "user_turn") && op.items.length > 0) {
      this.#awaited.add(id);
    }
  }

  onEvent({ id, msg, turn_id = id }: Event): void {
    switch (msg.type) {
      case "task_started":
        this.#running = id;
        this.#turnId = turn_id;
        this.#awaited.delete(id);
        return;
      case "task_complete":
        this.#finish("interrupted");
        return;
      case "turn_aborted":
        // An interrupt while nothing runs is answered under its own id.
        if (id === this.#running || this.#awaited.has(id)) this.#finish(msg.reason);
        return;
      case "error":
        // A submission that was refused starts nothing; errors of a turn come before its end.
        if (this.#awaited.delete(id) && !this.isBusy) this.#finish("interrupted");
    }
  }

  onEnd(): void {
    this.#finish("interrupted");
  }

  #finish(reason: string): void {
    this.#running = undefined;
    this.#turnId = undefined;
    // Whatever was said during the turn has joined it; what starts another will say so.
    this.#awaited.clear();
    for (const resolve of this.#waiting.splice(0)) resolve(reason);
  }
}

/** The requests of a thread that wait for the user; whoever answers first decides. */
export class Approvals {
  #open = new Map<string, { event: Event; answered: AbortController }>();

  /** The events that asked and were not answered yet. */
  get open(): Event[] {
    return [...this.#open.values()].map(({ event }) => event);
  }

  onEvent(event: Event): void {
    const { type } = event.msg;
    if (type === "task_complete" || type === "turn_aborted") this.close();
    const key = keyOf(event);
    if (key !== undefined) this.#open.set(key, { event, answered: new AbortController() });
  }

  /** Aborts when the request is answered by anyone, or by the end of its turn. */
  signalOf(key: string): AbortSignal | undefined {
    return this.#open.get(key)?.answered.signal;
  }

  /** Takes the right to answer; false when someone else has, or nothing waits any more. */
  settle(key: string): boolean {
    const found = this.#open.get(key);
    this.#open.delete(key);
    found?.answered.abort(new Error("answered"));
    return found !== undefined;
  }

  /** Nothing is asked any more. */
  close(): void {
    for (const key of [...this.#open.keys()]) this.settle(key);
  }
}

/** What a request is answered by: the call it is about, or the server that asks and its number. */
function keyOf({ msg }: Event): string | undefined {
  switch (msg.type) {
    case "exec_approval_request":
    case "apply_patch_approval_request":
    case "request_user_input":
    case "request_permissions":
      return msg.call_id;
    case "dynamic_tool_call_request":
      return msg.callId;
    case "elicitation_request":
      return `${msg.server_name} ${msg.id}`;
    default:
      return undefined;
  }
}

/** Waits for the events that answer submissions, by the ids of these. */
export class Answers {
  #awaited = new Map<string, { type: EventMsg["type"]; answer: Deferred<EventMsg> }>();

  /** Resolves with the event of that type under the id; throws what an error under it says. */
  to<Type extends EventMsg["type"]>(
    id: string,
    type: Type,
  ): Promise<Extract<EventMsg, { type: Type }>> {
    const answer = createDeferred<EventMsg>();
    this.#awaited.set(id, { type, answer });
    return answer.promise as Promise<Extract<EventMsg, { type: Type }>>;
  }

  onEvent({ id, msg }: Event): void {
    const awaited = this.#awaited.get(id);
    if (awaited === undefined) return;
    if (msg.type === awaited.type) awaited.answer.resolve(msg);
    else if (msg.type === "error") {
      awaited.answer.reject(new CodexError("invalid_request", msg.message));
    } else return;
    this.#awaited.delete(id);
  }

  /** Nothing answers any more. */
  close(threadId: string): void {
    for (const { answer } of this.#awaited.values()) {
      answer.reject(new CodexError("thread_not_found", `Thread ${threadId} has ended`));
    }
    this.#awaited.clear();
  }
}

/** What happened while nobody listened, within bounds: the pieces of streams go first, then the oldest. */
export class UnheardEvents {
  #events: { event: Event; bytes: number }[] = [];
  #bytes = 0;

  add(event: Event): void {
    const bytes = weigh(event.msg) + perEvent;
    this.#events.push({ event, bytes });
    this.#bytes += bytes;
    if (this.#bytes > maxBytes) this.#shrink();
  }

  take(): Event[] {
    const taken = this.#events.map(({ event }) => event);
    this.#events = [];
    this.#bytes = 0;
    return taken;
  }

  /** Goes well below the limit, so that this is not done for every event. */
  #shrink(): void {
    this.#events = this.#events.filter(({ event }) => !event.msg.type.endsWith("_delta"));
    this.#bytes = this.#events.reduce((sum, { bytes }) => sum + bytes, 0);
    let first = 0;
    while (this.#bytes > maxBytes / 2 && first < this.#events.length) {
      this.#bytes -= this.#events[first++]?.bytes ?? 0;
    }
    this.#events = this.#events.slice(first);
  }
}

const maxBytes = 1024 * 1024;

/** What an event costs in memory besides what it says. */
const perEvent = 100;
