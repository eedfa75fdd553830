import type { Clock } from "../../lib/clock.js";
import type { Event } from "../../protocol/types.js";
import type { Thread } from "../../server/index.js";
import { type LoggedEvent, seqStep } from "../broker.js";
import { isTurnId } from "./turn-id.js";

/**
 * Passes the events of a log to a thread, with their numbers and times.
 *
 * Everything that clients are notified of while an event is passed on depends on the log alone, so it is the same at every
 * gateway, and again when the log is read again.
 */
export class LogReader {
  /** The time of the event that is passed on, else that of the system. */
  readonly clock: Clock;
  readonly #system: Clock;
  /** Numbers of the first notifications of turns. */
  readonly #started = new Map<string, number>();
  #next = 0;
  #last = 0;
  #atMs: number | undefined;
  /** Time of the last line, for events without one. */
  #lineMs: number | undefined;

  constructor(system: Clock) {
    this.#system = system;
    this.clock = {
      now: () => this.#atMs ?? system.now(),
      sleep: (ms, signal) => system.sleep(ms, signal),
    };
  }

  /** Records the time of a line. */
  onLine(timestamp: string): void {
    const ms = Date.parse(timestamp);
    if (!Number.isNaN(ms)) this.#lineMs = ms;
  }

  pass({ seq, event, atMs }: LoggedEvent, thread: Thread): void {
    const numbered: Event = { ...event, seq };
    if (event.msg.type === "task_started") this.#started.set(event.turn_id ?? event.id, seq);
    this.#next = seq;
    this.#last = seq + seqStep - 1;
    this.#atMs = atMs ?? this.#lineMs ?? this.#system.now();
    try {
      thread.receive(numbered);
    } finally {
      this.#next = 0;
      this.#atMs = undefined;
    }
  }

  /** Returns the number of the next notification of the event; 0 outside of events, and if they are used up. */
  nextNumber(): number {
    if (this.#next === 0 || this.#next > this.#last) return 0;
    return this.#next++;
  }

  /** Returns the number of the first notification of a turn, if it has started. */
  firstNumberOf(turnId: string): number | undefined {
    return this.#started.get(turnId);
  }

  isUnstartedTurn(submissionId: string): boolean {
    return isTurnId(submissionId) && !this.#started.has(submissionId);
  }
}
