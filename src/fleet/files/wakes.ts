import type { Wakes, WakeUp } from "../broker.js";
import type { Folder } from "./folder.js";

/** Wake-ups as one file for each pool: threads, and the time until which a worker has taken each. */
export function createWakes(folder: Folder, closed: AbortSignal): Wakes {
  const change = (pool: string, work: (threads: Map<string, number>) => void) =>
    folder.locked(pool, async () => {
      const before = (folder.read(pool) ?? {}) as Record<string, number>;
      const threads = new Map(Object.entries(before));
      work(threads);
      await folder.write(pool, Object.fromEntries(threads));
    });

  const take = async (pool: string): Promise<WakeUp | undefined> => {
    const isFree = (untilMs: number) => untilMs <= Date.now();
    const stored = (folder.read(pool) ?? {}) as Record<string, number>;
    if (!Object.values(stored).some(isFree)) return undefined;
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
    wake: (pool, threadId) =>
      change(pool, (threads) => {
        if (!threads.has(threadId)) threads.set(threadId, 0);
      }),
    async next(pool, signal) {
      const end = AbortSignal.any([signal, closed]);
      while (!end.aborted) {
        const changed = folder.changed(pool, end);
        const wakeUp = await take(pool);
        if (wakeUp !== undefined) return wakeUp;
        await changed;
      }
      return undefined;
    },
  };
}

/** A wake-up comes again if its worker does nothing with it for so long. */
const takenMs = 2_000;
