import type { Era } from "../compat/index.js";
import { modelFamily } from "../model/index.js";
import type { Task } from "./task.js";

/** What the user is told of a model of which nothing is known; nothing for the others. */
export function unknownModelWarning(model: string, { model: dialect }: Era): string | undefined {
  if (modelFamily(model, dialect.catalogue).known) return undefined;
  return `Model metadata for \`${model}\` not found. Defaulting to fallback metadata; this can degrade performance and cause issues.`;
}

/** Tells it in a turn, in the versions that do. */
export function warnOfUnknownModel(task: Task, { model } = task.session.context): void {
  const { era } = task.session.parts;
  if (era.engine.warnsOfUnknownModels !== "in the turn") return;
  const message = unknownModelWarning(model, era);
  if (message !== undefined) task.emit({ type: "warning", message });
}
