import type { SessionLog } from "../../engine/index.js";
import type { RolloutItem } from "../../protocol/types.js";

/** The helper agents of a thread that have a turn, as their logs tell. Their work is lost if the thread leaves meanwhile. */
export class AgentsAtWork {
  readonly #threads = new Set<string>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get isEmpty(): boolean {
    return this.#threads.size === 0;
  }

  /** Returns the log of an agent, a file, which is followed. */
  follow(threadId: string, log: SessionLog): SessionLog {
    return {
      path: log.path,
      append: (item, when) => {
        log.append(item, when);
        this.#read(threadId, item);
      },
      close: () => {
        this.#end(threadId);
        return log.close();
      },
    };
  }

  #read(threadId: string, item: RolloutItem): void {
    if (item.type !== "event_msg") return;
    const { type } = item.payload;
    if (type === "task_started") this.#threads.add(threadId);
    else if (type === "task_complete" || type === "turn_aborted") this.#end(threadId);
  }

  #end(threadId: string): void {
    if (this.#threads.delete(threadId)) this.#onChange();
  }
}
