import { defaults } from "../defaults.generated.js";
import type { ConfigToml } from "../schema/config-toml.js";
import { isTable } from "../toml/table.js";

/** Which switches are on; those that nobody has turned stand as they are meant to. */
export function resolveFeatures({ features, tools }: ConfigToml): Map<string, boolean> {
  const search =
    typeof tools?.web_search === "boolean" ? { web_search_request: tools.web_search } : {};
  const all = { ...defaults.FeaturesToml, ...search, ...features };
  return new Map(Object.entries(all).map(([name, value]) => [name, isOn(value)]));
}

/** Some features of the reference are tables with details of their own. */
function isOn(value: unknown): boolean {
  return isTable(value) ? value.enabled === true : value === true;
}
