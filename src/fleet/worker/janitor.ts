import type { Clock } from "../../lib/clock.js";
import { errorText } from "../../lib/errors.js";
import { isUuid } from "../../rollout/index.js";
import type { Broker, ThreadMark } from "../broker.js";
import { isFirstWorker } from "./is-first-worker.js";
import type { Workspaces } from "./workspace.js";

/** Ages at which threads are deleted; a thread stays for ever without one. */
export interface Retention {
  /** Time without a change. */
  idleMs?: number;
  /** Time since a thread was archived. */
  archivedMs?: number;
}

/** Options of a janitor. */
export interface JanitorOptions {
  broker: Broker;
  worker: string;
  pool: string;
  workspaces: Workspaces;
  leaseMs: number;
  retention: Retention;
  /** Clock of the system: ages are compared with the times in logs. */
  clock: Clock;
  /** Pause between two looks for deleted threads. */
  intervalMs: number;
  report(message: string): void;
}

/**
 * Deletes what is stored of threads that are marked as deleted, and marks those that are too old.
 *
 * It takes the lease of a thread first, so a thread that is loaded is deleted once it was unloaded.
 */
export class Janitor {
  readonly #options: JanitorOptions;
  readonly #deleted = new Set<string>();
  #nextAgesMs = 0;

  constructor(options: JanitorOptions) {
    this.#options = options;
  }

  /** Works until the signal aborts; resolves when it watches. */
  async start(signal: AbortSignal): Promise<void> {
    const onMark = (threadId: string, mark: ThreadMark | undefined) => {
      if (mark?.kind === "deleted" && isUuid(threadId)) this.#deleted.add(threadId);
      else this.#deleted.delete(threadId);
    };
    await this.#options.broker.marks.watch(onMark, signal);
    void this.#run(signal);
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock, intervalMs, report } = this.#options;
    while (!signal.aborted) {
      await clock.sleep(intervalMs, signal).catch(() => {});
      if (signal.aborted) return;
      // What fails now is tried again the next time.
      await this.#markOld().catch(() => {});
      for (const threadId of this.#deleted) {
        await this.#delete(threadId).catch((error: unknown) =>
          report(`thread ${threadId} could not be deleted: ${errorText(error)}`),
        );
      }
    }
  }

  async #delete(threadId: string): Promise<void> {
    const { broker, worker, pool, workspaces, leaseMs } = this.#options;
    const lease = await broker.leases.take(threadId, { worker, pool, durationMs: leaseMs });
    if (lease === undefined) return;
    await broker.forget(threadId);
    await workspaces.forget(threadId);
    await lease.release();
    // The last step: if this worker is lost before, another one does it all again.
    await broker.marks.remove(threadId);
    this.#deleted.delete(threadId);
  }

  async #markOld(): Promise<void> {
    const { broker, pool, clock, retention } = this.#options;
    const { idleMs, archivedMs } = retention;
    const shortestMs = Math.min(idleMs ?? Infinity, archivedMs ?? Infinity);
    const nowMs = clock.now();
    if (shortestMs === Infinity || nowMs < this.#nextAgesMs) return;
    if (!(await isFirstWorker(broker, this.#options))) return;
    this.#nextAgesMs = nowMs + Math.min(mostAgesMs, shortestMs / 4);
    const marks = new Map((await broker.marks.list()).map((mark) => [mark.threadId, mark]));
    for (const { threadId, updatedAtMs, state, pool: own } of await broker.directory.list()) {
      const mark = marks.get(threadId);
      if (own !== pool || state !== "idle" || mark?.kind === "deleted") continue;
      const isOld = nowMs - updatedAtMs > (idleMs ?? Infinity);
      const isOldArchived = mark !== undefined && nowMs - mark.atMs > (archivedMs ?? Infinity);
      // A thread that is loaded is in use.
      if ((isOld || isOldArchived) && (await broker.leases.read(threadId)) === undefined) {
        await broker.marks.put({ threadId, kind: "deleted", atMs: nowMs });
      }
    }
  }
}

/** Ages are looked at once in this time. */
const mostAgesMs = 3_600_000;
