import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { endOfLost, OpenItems } from "../../protocol/lost-items.js";
import type { Event, RolloutLine } from "../../protocol/types.js";
import { rolloutPath } from "../../rollout/index.js";
import { type Broker, FencedError } from "../broker.js";
import type { Owner } from "./thread-output.js";
import type { ThreadView } from "./thread-view.js";

/**
 * Reads the log and marks it as owned, so that no earlier owner can append to it.
 *
 * The owner's epoch is raised above those in the log: a broker that was killed may count leases from a lower number again.
 */
export async function claimLog(
  { log }: Broker,
  owner: Owner,
  { view, lines }: { view: ThreadView; lines: RolloutLine[] },
): Promise<void> {
  const { threadId, worker } = owner;
  for (let attempt = 1; ; attempt++) {
    for await (const batch of log.read(threadId, view.position)) {
      view.readBatch(batch, (line) => lines.push(line));
    }
    owner.epoch = Math.max(owner.epoch, view.epoch + 1);
    try {
      const batch = { epoch: owner.epoch, worker, applied: [], entries: [] };
      view.position = await log.append(threadId, batch, view.position);
      return;
    } catch (error) {
      // The owner before us has appended meanwhile.
      if (!(error instanceof FencedError) || attempt === 5) throw error;
    }
  }
}

/** Returns the ends of commands and calls that ran when the worker before was lost, so that clients learn of it at once. */
export function endsOfLost({ turn, open }: ThreadView, threadId: string): Event[] {
  const ofTurn = new OpenItems();
  for (const msg of turn?.events ?? []) ofTurn.read(msg);
  const inTurn = new Set(ofTurn.all);
  // The engine decides on the rest of the turn: it may make the call, or not.
  const ended = open.all.filter((msg) => !inTurn.has(msg) || endsAtOnce.has(msg.type));
  return ended.map((msg) => {
    const { msg: end, itemId } = endOfLost(msg);
    const place = inTurn.has(msg) ? { id: turn?.submissionId ?? "", turn_id: turn?.turnId } : {};
    const item = itemId === undefined ? {} : { item_id: itemId };
    return { id: "", ...place, msg: end, thread_id: threadId, ...item } as Event;
  });
}

/** Beginnings of what is never started again. */
const endsAtOnce: ReadonlySet<string> = new Set(["exec_command_begin", "mcp_tool_call_begin"]);

/** Writes the rollout file that the engine resumes, and returns its path. */
export function writeRollout(
  folder: string,
  threadId: string,
  lines: readonly RolloutLine[],
): string {
  const path = rolloutPath(folder, new Date(lines[0]?.timestamp ?? 0), threadId);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return path;
}
