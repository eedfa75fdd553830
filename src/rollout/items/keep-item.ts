import type { ResponseItem } from "../../protocol/types.js";

/** Whether an item belongs to the conversation with the model: not system messages, nor unknown kinds. */
export function isKeptItem(item: ResponseItem): boolean {
  if (item.type === "message") return item.role !== "system";
  return item.type !== "other";
}
