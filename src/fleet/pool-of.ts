import type { Broker, DirectoryEntry } from "./broker.js";

/** Returns the pool of a thread: that of its entry in the directory, or the one that its first submission names. */
export async function poolOf(
  { submissions }: Broker,
  threadId: string,
  entry: DirectoryEntry | undefined,
): Promise<string | undefined> {
  if (entry !== undefined) return entry.pool;
  if ((await submissions.head(threadId)) === 0) return undefined;
  const stop = new AbortController();
  try {
    for await (const { headers } of submissions.follow(threadId, 0, stop.signal)) {
      return headers?.pool;
    }
    return undefined;
  } finally {
    stop.abort();
  }
}
