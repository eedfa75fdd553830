import { fileShape } from "./check/shape.generated.js";
import { type Shape, shapeAt } from "./check/shape.js";

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

function shapes(): Readonly<Record<string, Shape>> {
  return shapeAt(fileShape, ["features"])?.keys ?? {};
}
