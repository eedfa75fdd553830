import { withSignals } from "../../lib/join-signals.js";
import type { Wakes, WakeUp } from "../broker.js";
import type { Folder } from "./folder.js";

/** Wake-ups as one file for each pool: threads, and the time until which a worker has taken each. */
export function createWakes(
  folder: Folder,
  closed: AbortSignal,
): Wakes & { forget(threadId: string): Promise<void> } {
  const change = (pool: string, work: (threads: Map<string, number>) => unknown) =>
    folder.locked(pool, async () => {
      const before = (folder.read(pool) ?? {}) as Record<string, number>;
      const threads = new Map(Object.entries(before));
      work(threads);
      await folder.write(pool, Object.fromEntries(threads));
    });

  // A time far in the future is from before the clock was set back.
  const isFree = (untilMs: number) => untilMs <= Date.now() || untilMs > Date.now() + 10 * takenMs;

  const pending = (pool: string): number => {
    const stored = (folder.read(pool) ?? {}) as Record<string, number>;
    return Object.values(stored).filter(isFree).length;
  };

  const take = async (pool: string): Promise<WakeUp | undefined> => {
    if (pending(pool) === 0) return undefined;
    const untilMs = Date.now() + takenMs;
    let taken: string | undefined;
    await change(pool, (threads) => {
      taken = [...threads].find(([, until]) => isFree(until))?.[0];
      if (taken !== undefined) threads.set(taken, untilMs);
    });
    if (taken === undefined) return undefined;
    const threadId = taken;
    const ifTaken = (work: (threads: Map<string, number>) => void) =>
      change(pool, (threads) => {
        if (threads.get(threadId) === untilMs) work(threads);
      });
    return {
      threadId,
      done: () => ifTaken((threads) => threads.delete(threadId)),
      later: (ms) => ifTaken((threads) => threads.set(threadId, Date.now() + ms)),
    };
  };

  return {
    async forget(threadId) {
      for (const pool of folder.names()) await change(pool, (threads) => threads.delete(threadId));
    },
    wake: (pool, threadId) =>
      // The worker that has taken the one before does not remove this one.
      change(pool, (threads) => void threads.set(threadId, 0)),
    next: (pool, signal) =>
      withSignals([signal, closed], async (end) => {
        while (!end.aborted) {
          const changed = folder.changed(pool, end);
          const wakeUp = await take(pool);
          if (wakeUp !== undefined) return wakeUp;
          await changed;
        }
        return undefined;
      }),
    pending: async (pool) => pending(pool),
  };
}

/** A wake-up comes again if its worker does nothing with it for so long. */
const takenMs = 2_000;
