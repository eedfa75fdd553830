import { groupUsage } from "../../model/index.js";
import type { UsageReadParams, UsageReadResponse } from "../../protocol/rpc/v2/usage.js";
import { readUsage } from "../../rollout/index.js";
import { assertThreadId, type Connection, type V2Handlers } from "../connection.js";

/** Handler of `usage/read`. */
export const usageHandlers = { "usage/read": readRows } satisfies Partial<V2Handlers>;

async function readRows(
  { by = "day", threadId }: UsageReadParams,
  { server }: Connection,
): Promise<UsageReadResponse> {
  if (threadId !== undefined) assertThreadId(threadId);
  const { settings } = await server.config();
  const records = await readUsage(server.home, { threadId, byTurn: by === "turn" });
  return groupUsage(records, by, settings.model_prices);
}
