import { fileShape } from "./check/shape.generated.js";
import { type Shape, shapeAt } from "./check/shape.js";
import { defaults } from "./defaults.generated.js";

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

/** What a feature does, for those who list them. */
export interface FeatureFacts {
  /** False: it is a switch of other versions. */
  hasEffect: boolean;
  defaultEnabled: boolean;
}

/** What is known of a feature by its name. */
export function featureFacts(name: string): FeatureFacts {
  const onByDefault = defaults.FeaturesToml as Readonly<Record<string, boolean | undefined>>;
  return {
    // Whatever has an effect says whether a project may turn it.
    hasEffect: shapes()[name]?.project !== undefined,
    defaultEnabled: onByDefault[name] ?? false,
  };
}

function shapes(): Readonly<Record<string, Shape>> {
  return shapeAt(fileShape, ["features"])?.keys ?? {};
}
