import type { RolloutItem } from "../protocol/types.js";
import { toModePolicy, toTypePolicy } from "../protocol/write/index.js";

/** How versions differ in what they write; each reads the others' form too. */
export interface RolloutDialect {
  /** A sandbox policy is tagged by `mode` (until 0.45), by `type` (later), or for readers of both. */
  policyTag: "mode" | "type" | "both";
}

/** A line of a rollout, line end included; with its number where the file has numbers. */
export function toRolloutLine(
  item: RolloutItem,
  now: number,
  dialect: RolloutDialect,
  ordinal?: number,
): Buffer {
  const timestamp = new Date(now).toISOString();
  const payload = toPayload(item, dialect);
  // A number that is absent is left out by `stringify`.
  return Buffer.from(`${JSON.stringify({ timestamp, ordinal, type: item.type, payload })}\n`);
}

function toPayload(item: RolloutItem, { policyTag }: RolloutDialect): unknown {
  if (item.type !== "turn_context") return item.payload;
  const { sandbox_policy } = item.payload;
  const policy = {
    ...(policyTag === "type" ? {} : toModePolicy(sandbox_policy)),
    ...(policyTag === "mode" ? {} : toTypePolicy(sandbox_policy)),
  };
  return { ...item.payload, sandbox_policy: policy };
}
