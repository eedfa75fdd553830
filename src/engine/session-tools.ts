import type { Era } from "../compat/index.js";
import type { Config } from "../config/index.js";
import type { DynamicTool } from "../protocol/types.js";
import { type SearchRule, type ToolBox, withDynamicTools, withToolSearch } from "../tools/index.js";
import type { EngineParts, SessionServices } from "./parts.js";

/** Services of a session and the tools that its client runs itself. */
interface ToolSources extends SessionServices {
  dynamicTools: readonly DynamicTool[];
}

/** Creates all tools of a session, and the search for those that are deferred. */
export function createSessionTools(
  config: Config,
  parts: EngineParts,
  { dynamicTools, ...services }: ToolSources,
): ToolBox {
  const box = withDynamicTools(parts.createTools(config, services), dynamicTools);
  return parts.era.since["0.166"] ? withToolSearch(box, searchRule(config, parts.era)) : box;
}

/**
 * Number of tools that are offered by default in full.
 *
 * 0.166 defers all tools if the model knows the search, which costs a step even for a single tool.
 */
const mostOffered = 20;

/** Models without the items of a search get a function since `current`; they were offered all tools. */
function searchRule({ tools, provider }: Config, { since }: Era): SearchRule {
  const limit = tools.search_above ?? (since.current ? mostOffered : 0);
  return ({ family }, deferrable) => {
    const hasItems = family.toolSearch === true && provider.wire_api === "responses";
    if (deferrable <= limit || !(hasItems || since.current)) return undefined;
    return hasItems ? "items" : "function";
  };
}
