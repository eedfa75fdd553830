import { toEffectiveLayers } from "./effective.js";
import type { ConfigLayer } from "./layer.js";
import type { ReadLayers } from "./read-layers.js";

/**
 * The layers as users are shown them: as they stand in their files, but of a project's only what a
 * project may set, since the rest has no effect.
 */
export function shownLayers(
  read: ReadLayers,
  places: { cwd: string; userHome: string },
): ConfigLayer[] {
  const { layers } = toEffectiveLayers(read, undefined, { ...places, projectProfiles: false });
  return read.layers.map((layer) => {
    const effective = layers.find((one) => one.layer === layer);
    if (layer.source.type !== "project" || effective === undefined) return layer;
    return { ...layer, values: effective.values };
  });
}
