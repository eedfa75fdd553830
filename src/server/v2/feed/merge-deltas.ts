import type { Notification } from "../../../jsonrpc/index.js";
import type { DeltaParams } from "./delta.js";

/** Puts two pieces of one text together for a client that reads slowly. */
export function mergeItemDeltas(
  previous: Notification,
  next: Notification,
): Notification | undefined {
  if (previous.method !== next.method || !deltas.has(next.method)) return undefined;
  const [first, second] = [previous.params, next.params] as [DeltaParams, DeltaParams];
  const isSame =
    first.itemId === second.itemId &&
    first.turnId === second.turnId &&
    first.threadId === second.threadId &&
    first.summaryIndex === second.summaryIndex &&
    first.contentIndex === second.contentIndex;
  if (!isSame) return undefined;
  return { method: next.method, params: { ...second, delta: first.delta + second.delta } };
}

const deltas: ReadonlySet<string> = new Set([
  "item/agentMessage/delta",
  "item/plan/delta",
  "item/reasoning/summaryTextDelta",
  "item/reasoning/textDelta",
  "item/commandExecution/outputDelta",
  "item/fileChange/outputDelta",
]);
