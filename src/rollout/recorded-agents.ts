import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { isRecord, parseRecord } from "../protocol/read/check.js";

/** Returns the ids of the helper agents' threads that a rollout names, in the order of their start. */
export async function readAgentThreads(path: string): Promise<string[]> {
  const ids = new Set<string>();
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  for await (const line of lines) {
    if (!line.includes('"SubAgentActivity"') && !line.includes('"CollabAgentToolCall"')) continue;
    const { payload } = parseRecord(line) ?? {};
    const item = isRecord(payload) ? payload.item : undefined;
    if (!isRecord(item)) continue;
    const receivers: unknown[] = Array.isArray(item.receiver_thread_ids)
      ? item.receiver_thread_ids
      : [];
    const named = item.kind === "started" ? [item.agent_thread_id] : receivers;
    for (const id of named) if (typeof id === "string") ids.add(id);
  }
  return [...ids];
}
