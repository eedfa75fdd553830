import type { Era } from "../../compat/index.js";
import type { Config } from "../../config/index.js";
import type { ToolTurn } from "../../tools/index.js";

/** Returns true if the model is offered the tools of helper agents of the second generation. */
export function offersAgents(
  { features }: Pick<Config, "features">,
  { since }: Pick<Era, "since">,
  { family, isReview }: Pick<ToolTurn, "family" | "isReview">,
): boolean {
  if (!since["0.166"] || isReview === true || features.get("multi_agent") === false) return false;
  return features.get("multi_agent_v2") ?? family.multiAgent === "v2";
}
