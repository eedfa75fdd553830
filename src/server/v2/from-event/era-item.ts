import type { V2Behavior } from "../../../compat/index.js";
import type { ThreadItem } from "../../../protocol/rpc/v2/item.js";
import type { Turn } from "../../../protocol/rpc/v2/turn.js";
import { toEraFields } from "../era-fields.js";

/** An item without what the version of the client did not have yet. */
export function toEraItem(item: ThreadItem, { lacks }: V2Behavior): ThreadItem {
  const shaped = toEraFields(item, lacks[item.type]);
  if (shaped.type !== "mcpToolCall" || shaped.result === null) return shaped;
  const result = toEraFields(shaped.result, lacks.McpToolCallResult);
  return result === shaped.result ? shaped : { ...shaped, result };
}

/** A turn without what the version of the client did not have yet. */
export function toEraTurn(turn: Turn, era: V2Behavior): Turn {
  const shaped = toEraFields(turn, era.lacks.Turn);
  const items = shaped.items.map((item) => toEraItem(item, era));
  const error = shaped.error && toEraFields(shaped.error, era.lacks.TurnError);
  return { ...shaped, items, error };
}
