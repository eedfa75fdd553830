import { appendFile, open, stat, truncate } from "node:fs/promises";
import { joinSignals } from "../../lib/join-signals.js";
import { parseEvent } from "../../protocol/read/index.js";
import type { Live } from "../broker.js";
import type { Folder } from "./folder.js";

/** Events that are not stored: lines of a file that is emptied when it gets long. */
export function createLive(folder: Folder, closed: AbortSignal): Live {
  let last = Promise.resolve();
  const write = async (file: string, line: string) => {
    const size = (await stat(file).catch(() => undefined))?.size ?? 0;
    if (size > mostBytes) await truncate(file, 0);
    await appendFile(file, line, { mode: 0o600 });
  };
  return {
    publish(threadId, event) {
      if (closed.aborted) return;
      const line = `${JSON.stringify(event)}\n`;
      last = last.then(() => write(folder.file(threadId), line)).catch(() => {});
    },
    subscribe(threadId, onEvent) {
      const following = joinSignals(closed);
      void tail(
        { folder, threadId },
        (line) => {
          try {
            onEvent(parseEvent(JSON.parse(line)));
          } catch {
            // A part of a line, or not an event.
          }
        },
        following.signal,
      );
      return () => following.end(new Error("unsubscribed"));
    },
  };
}

/** Calls back for each line that is appended from now on. */
async function tail(
  { folder, threadId }: { folder: Folder; threadId: string },
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const file = folder.file(threadId);
  const sizeNow = async () => (await stat(file).catch(() => undefined))?.size ?? 0;
  let offset = await sizeNow();
  while (!signal.aborted) {
    const changed = folder.changed(threadId, signal);
    const size = await sizeNow();
    if (size < offset) offset = 0;
    if (size > offset) {
      const handle = await open(file, "r");
      const bytes = Buffer.alloc(size - offset);
      await handle.read(bytes, 0, bytes.length, offset).finally(() => handle.close());
      const end = bytes.lastIndexOf(0x0a) + 1;
      offset += end;
      for (const line of bytes.toString("utf8", 0, end).split("\n").slice(0, -1)) {
        if (!signal.aborted) onLine(line);
      }
    }
    await changed;
  }
}

const mostBytes = 4_000_000;
