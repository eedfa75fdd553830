import type { Marks, OnMark, ThreadMark } from "../broker.js";
import type { Link } from "./link.js";

/** The marks of all threads. */
export class MarkRows {
  readonly #rows = new Map<string, ThreadMark>();
  readonly #watchers = new Set<OnMark>();

  connect(link: Link): Marks {
    return {
      put: async (mark) => {
        link.check();
        this.#rows.set(mark.threadId, mark);
        for (const notify of this.#watchers) notify(mark.threadId, mark);
      },
      remove: async (threadId) => {
        link.check();
        if (!this.#rows.delete(threadId)) return;
        for (const notify of this.#watchers) notify(threadId, undefined);
      },
      list: async () => {
        link.check();
        return [...this.#rows.values()];
      },
      watch: async (onChange, signal) => {
        link.check();
        for (const mark of this.#rows.values()) onChange(mark.threadId, mark);
        this.#watchers.add(onChange);
        link.until(signal).signal.addEventListener("abort", () => this.#watchers.delete(onChange));
      },
    };
  }
}
