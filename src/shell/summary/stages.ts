import { cdTarget, pathFrom } from "./paths.js";
import type { ParsedCommandRules } from "./rules.js";
import { type Stage, toStage } from "./stage.js";

/** Summarizes commands in order, following `cd` from one to the next where the rules say so. */
export function toStages(
  commands: readonly (readonly string[])[],
  rules: ParsedCommandRules,
): Stage[] {
  const stages: Stage[] = [];
  let directory: string | undefined;
  for (const argv of commands) {
    if (rules.cd === "followed" && argv[0] === "cd") {
      const target = cdTarget(argv.slice(1));
      if (target !== undefined) directory = pathFrom(directory, target);
    } else {
      stages.push(toStage(argv, directory, rules));
    }
  }
  return stages;
}
