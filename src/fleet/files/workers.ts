import { statSync } from "node:fs";
import { announcementEndsMs, type WorkerInfo, type Workers } from "../broker.js";
import { readWorker } from "../read-values.js";
import { unknownWorker } from "../unknown-worker.js";
import type { Folder } from "./folder.js";

/** The announced workers; the age of its file is the age of an announcement. */
export function createWorkers(
  { workers, drains }: { workers: Folder; drains: Folder },
  closed: AbortSignal,
): Workers {
  const list = async (): Promise<WorkerInfo[]> =>
    workers.names().flatMap((name) => {
      const written = statSync(workers.file(name), { throwIfNoEntry: false });
      const isOld = written === undefined || Date.now() - written.mtimeMs > announcementEndsMs;
      return isOld ? [] : (workers.readAs(name, readWorker) ?? []);
    });

  return {
    announce: (worker) => workers.write(worker.name, worker),
    leave: async (name) => workers.remove(name),
    list,
    async drain(name) {
      if (drains.read(name) === undefined) throw unknownWorker(name, await list());
      await drains.write(name, { asked: true });
      const limit = AbortSignal.timeout(5_000);
      while ((drains.read(name) as { asked?: boolean } | undefined)?.asked) {
        if (limit.aborted) throw unknownWorker(name, await list());
        await drains.changed(name, limit);
      }
    },
    async onDrain(name, callback, signal) {
      const end = AbortSignal.any([signal, closed]);
      await drains.write(name, { asked: false });
      void (async () => {
        while (!end.aborted) {
          const changed = drains.changed(name, end);
          if ((drains.read(name) as { asked?: boolean } | undefined)?.asked) {
            callback();
            await drains.write(name, { asked: false });
          }
          await changed;
        }
        drains.remove(name);
      })();
    },
  };
}
