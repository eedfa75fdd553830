import type { ResponseItem } from "../items/response.js";

/** An item as rollouts and requests have it: without the id the model gave it. */
export function withoutItemId(item: ResponseItem): ResponseItem {
  if (!("id" in item) || item.id === undefined) return item;
  const { id: _, ...rest } = item;
  return rest;
}
