import { modelFamily } from "../model/index.js";
import type { Era } from "../protocol/era.js";

/** What the user is told of a model of which nothing is known; nothing for the others. */
export function unknownModelWarning(model: string, { model: dialect }: Era): string | undefined {
  if (modelFamily(model, dialect.catalogue).known) return undefined;
  return `Model metadata for \`${model}\` not found. Defaulting to fallback metadata; this can degrade performance and cause issues.`;
}
