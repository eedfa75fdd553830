import type { EngineBehavior } from "../compat/index.js";
import type { EventMsg } from "../protocol/types.js";
import { toKeptEvent } from "../rollout/index.js";

/** Where an event belongs. */
export interface EventPlace {
  task: { turnId: string; openResponseId: string | undefined } | undefined;
  itemId: string | undefined;
}

/** An event as the log keeps it: with its turn where the reference has it, and what is kept of it. */
export function toLoggedEvent(
  msg: EventMsg,
  { task, itemId }: EventPlace,
  { logsTasks, logsCalls }: EngineBehavior,
): EventMsg {
  const isEdge = msg.type === "task_started" || msg.type === "task_complete";
  // What a step has cost is told at its end, so this line also says by which response it ended.
  if (msg.type === "token_count" && task?.openResponseId !== undefined) {
    return { ...msg, response_id: task.openResponseId } as EventMsg;
  }
  if (isEdge && task !== undefined && logsTasks) return { ...msg, turn_id: task.turnId };
  if (!logsCalls) return msg;
  const kept = toKeptEvent(msg);
  // Others pass over a member that they do not know.
  return itemId === undefined ? kept : ({ ...kept, item_id: itemId } as EventMsg);
}
