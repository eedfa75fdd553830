import type { SandboxPolicy } from "../../protocol/types.js";
import type { ConfigToml } from "../schema/config-toml.js";

/** How the model searches the web: not at all, over pages the provider keeps, or anew. */
export type WebSearchMode = "disabled" | "cached" | "live";

/** What the user has said about web searches, in the newest or an older way; nothing when nothing. */
export function resolveWebSearch(values: ConfigToml): WebSearchMode | undefined {
  if (values.web_search !== undefined) return values.web_search;
  if (values.features?.web_search_cached === true) return "cached";
  const asked = values.features?.web_search_request ?? values.tools?.web_search;
  if (asked === true) return "live";
  return asked === false ? "disabled" : undefined;
}

/** What a turn depends on when the user has said nothing. */
export interface WebSearchContext {
  explicit: WebSearchMode | undefined;
  /** True if models of the provider have such a tool. */
  available: boolean;
  sandbox: SandboxPolicy["mode"];
}

/** How the model searches the web in a turn. */
export function webSearchForTurn(context: WebSearchContext): WebSearchMode {
  const { explicit, available, sandbox } = context;
  if (explicit !== undefined) return explicit;
  if (!available) return "disabled";
  return sandbox === "danger-full-access" ? "live" : "cached";
}
