import { fileShape } from "./check/shape.generated.js";
import { type Shape, shapeAt } from "./check/shape.js";
import { defaults } from "./schema/defaults.generated.js";

/** Returns the current names of all features. */
export function featureNames(): string[] {
  return Object.entries(shapes())
    .filter(([, shape]) => shape.alias === undefined)
    .map(([name]) => name);
}

/** Returns the current name of a feature; undefined if it is unknown. */
export function findFeature(name: string): string | undefined {
  const known = shapes();
  if (!Object.hasOwn(known, name)) return undefined;
  return known[name]?.alias?.replace(/^features\./, "") ?? name;
}

/** Facts about a feature. */
export interface FeatureFacts {
  /** False if the feature is always on or missing. */
  hasEffect: boolean;
  /** Default state, if no file sets it. */
  defaultEnabled: boolean;
}

/** Returns the facts about a feature. */
export function featureFacts(name: string): FeatureFacts {
  const onByDefault = defaults.FeaturesToml as Readonly<Record<string, boolean | undefined>>;
  const { ignored } = shapes()[name] ?? {};
  return {
    hasEffect: ignored === undefined,
    defaultEnabled:
      ignored === undefined
        ? (onByDefault[name] ?? false)
        : Array.isArray(ignored) && ignored.includes(true),
  };
}

/** Returns true if a feature is on and its switch has an effect. */
export function isFeatureOn(name: string, features: ReadonlyMap<string, boolean>): boolean {
  const { hasEffect, defaultEnabled } = featureFacts(name);
  return hasEffect ? (features.get(name) ?? false) : defaultEnabled;
}

function shapes(): Readonly<Record<string, Shape>> {
  return shapeAt(fileShape, ["features"])?.keys ?? {};
}
