import { fileShape } from "./check/shape.generated.js";
import { type Shape, shapeAt } from "./check/shape.js";
import { defaults } from "./schema/defaults.generated.js";

/** The features that can be turned on or off, by the names they have now. */
export function featureNames(): string[] {
  return Object.entries(shapes())
    .filter(([, shape]) => shape.alias === undefined)
    .map(([name]) => name);
}

/** The name a feature has now, for that name or an older one; nothing when there is no such feature. */
export function findFeature(name: string): string | undefined {
  const known = shapes();
  if (!Object.hasOwn(known, name)) return undefined;
  return known[name]?.alias?.replace(/^features\./, "") ?? name;
}

/** A feature as lists show it. */
export interface FeatureFacts {
  /** It can be switched here; else it is always on, or not there. */
  hasEffect: boolean;
  /** Default state, if no file sets it. */
  defaultEnabled: boolean;
}

/** Facts about a feature by its name. */
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
