import { type ConfigLayer, itemOriginsOf, versionOf } from "../../config/index.js";
import type {
  ConfigLayerMetadata,
  ConfigLayerSource,
  ConfigLayer as ShownLayer,
} from "../../protocol/rpc/v2/config.js";
import { toJson } from "./config-view.js";
import type { V2Connection } from "./connection.js";

/** Where settings come from, as clients of the era read it. */
export function toLayerName(
  source: ConfigLayer["source"],
  connection: V2Connection,
): ConfigLayerSource {
  if (source.type !== "user") return source;
  return connection.inEra("ConfigLayerSource", { ...source, profile: source.profile ?? null });
}

/** Where each setting comes from, by its path. */
export async function toOrigins(
  layers: readonly ConfigLayer[],
  connection: V2Connection,
): Promise<Record<string, ConfigLayerMetadata>> {
  const known = new Map<ConfigLayer, ConfigLayerMetadata>();
  for (const layer of layers) {
    const name = toLayerName(layer.source, connection);
    known.set(layer, { name, version: await versionOf(layer.values) });
  }
  const origins: [string, ConfigLayerMetadata][] = [];
  for (const [path, layer] of itemOriginsOf(layers)) {
    const metadata = known.get(layer);
    if (metadata !== undefined) origins.push([path, metadata]);
  }
  return Object.fromEntries(origins);
}

/** What each source says, the strongest first. */
export async function toShownLayers(
  layers: readonly ConfigLayer[],
  connection: V2Connection,
): Promise<ShownLayer[]> {
  const shown = layers.map(async ({ source, values, disabledReason }) => ({
    name: toLayerName(source, connection),
    version: await versionOf(values),
    config: toJson(values),
    ...(disabledReason === undefined ? {} : { disabledReason }),
  }));
  return (await Promise.all(shown)).reverse();
}
