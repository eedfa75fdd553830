import type { Marks, ThreadMark } from "../broker.js";
import { readMark } from "../read-values.js";
import type { Folder } from "./folder.js";

/** The marks: one file for each thread that has one. */
export function createMarks(folder: Folder, closed: AbortSignal): Marks {
  const list = () => folder.names().flatMap((name) => folder.readAs(name, readMark) ?? []);
  return {
    put: (mark) => folder.write(mark.threadId, mark),
    remove: async (threadId) => folder.remove(threadId),
    list: async () => list(),
    async watch(onChange, signal) {
      const end = AbortSignal.any([signal, closed]);
      let known = new Map<string, ThreadMark>();
      const look = () => {
        const now = new Map(list().map((mark) => [mark.threadId, mark]));
        for (const [threadId, mark] of now) {
          const before = known.get(threadId);
          if (before?.kind !== mark.kind || before.atMs !== mark.atMs) onChange(threadId, mark);
        }
        for (const threadId of known.keys()) if (!now.has(threadId)) onChange(threadId, undefined);
        known = now;
      };
      look();
      void (async () => {
        while (!end.aborted) {
          await folder.changed(undefined, end);
          if (!end.aborted) look();
        }
      })();
    },
  };
}
