import type { EngineBehavior } from "../compat/index.js";
import type { WebSearchCallItem } from "../protocol/types.js";

/** Whether clients are told of what the model did on the web. */
export function isWebTold(
  { action }: WebSearchCallItem,
  { webTold }: Pick<EngineBehavior, "webTold">,
): boolean {
  return webTold !== "searches" || (action?.type === "search" && action.query !== undefined);
}
