import type { EngineDialect } from "../protocol/era.js";
import type { WebSearchCallItem } from "../protocol/types.js";

/** Whether clients are told of what the model did on the web. */
export function isWebTold(
  { action }: WebSearchCallItem,
  { webTold }: Pick<EngineDialect, "webTold">,
): boolean {
  return webTold !== "searches" || (action?.type === "search" && action.query !== undefined);
}
