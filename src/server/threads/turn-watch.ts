import type { Event, Op } from "../../protocol/types.js";

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
