import type { Clock } from "../../lib/clock.js";
import { announcementEndsMs, type WorkerInfo, type Workers } from "../broker.js";
import { unknownWorker } from "../unknown-worker.js";
import type { Link } from "./link.js";

/** The announced workers. */
export class WorkerRows {
  readonly #rows = new Map<string, { info: WorkerInfo; atMs: number }>();
  readonly #drains = new Map<string, { link: Link; callback(): void }>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  connect(link: Link): Workers {
    return {
      announce: async (worker) => {
        link.check();
        this.#rows.set(worker.name, { info: { ...worker }, atMs: this.#clock.now() });
      },
      leave: async (name) => {
        link.check();
        this.#rows.delete(name);
      },
      list: async () => {
        link.check();
        return this.#list();
      },
      drain: async (name) => {
        link.check();
        const drain = this.#drains.get(name);
        if (drain === undefined || drain.link.isCut) throw unknownWorker(name, this.#list());
        drain.callback();
      },
      onDrain: async (name, callback, signal) => {
        link.check();
        const drain = { link, callback };
        this.#drains.set(name, drain);
        link.until(signal).signal.addEventListener("abort", () => {
          if (this.#drains.get(name) === drain) this.#drains.delete(name);
        });
      },
    };
  }

  #list(): WorkerInfo[] {
    const endedMs = this.#clock.now() - announcementEndsMs;
    return [...this.#rows.values()].filter(({ atMs }) => atMs > endedMs).map(({ info }) => info);
  }
}
