import { defaults } from "../defaults.generated.js";
import type { ConfigToml } from "../schema/config-toml.js";

/** Which switches are on; those that nobody has turned stand as they are meant to. */
export function resolveFeatures({ features, tools }: ConfigToml): Map<string, boolean> {
  const search =
    typeof tools?.web_search === "boolean" ? { web_search_request: tools.web_search } : {};
  return new Map(Object.entries({ ...defaults.FeaturesToml, ...search, ...features }));
}
