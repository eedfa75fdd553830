import type { Era } from "../../compat/index.js";
import type { Config } from "../../config/index.js";
import type { ToolTurn } from "../../tools/index.js";

/** Returns the generation of the tools of helper agents that the model is offered; undefined for none. */
export function offersAgents(
  { features }: Pick<Config, "features">,
  { since }: Pick<Era, "since">,
  { family, isReview }: Pick<ToolTurn, "family" | "isReview">,
): "v1" | "v2" | undefined {
  if (!since["0.166"] || isReview === true || features.get("multi_agent") === false)
    return undefined;
  const isSecond = features.get("multi_agent_v2");
  if (isSecond === true) return "v2";
  if (isSecond === false && family.multiAgent === "v2") return "v1";
  return family.multiAgent ?? (features.get("multi_agent") ? "v1" : undefined);
}
