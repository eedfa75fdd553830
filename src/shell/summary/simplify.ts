import type { Stage } from "./stage.js";

/**
 * Leaves out stages that say nothing about the purpose of a command: a leading `echo`, a `cd` that
 * something follows, `true`, and `nl` without a file. The last stage always stays.
 */
export function simplify(stages: readonly Stage[]): Stage[] {
  let current = [...stages];
  while (current.length > 1) {
    const index = dispensable(current);
    if (index === -1) break;
    current = current.toSpliced(index, 1);
  }
  return current;
}

/** Whether a stage is a bare `true`. */
export function isTrue(stage: Stage): boolean {
  return stage.argv.length === 1 && stage.argv[0] === "true";
}

function dispensable(stages: readonly Stage[]): number {
  if (stages[0]?.argv[0] === "echo") return 0;
  const cd = stages.findIndex((stage) => stage.argv[0] === "cd");
  if (cd !== -1 && cd < stages.length - 1) return cd;
  const noop = stages.findIndex(isTrue);
  if (noop !== -1) return noop;
  return stages.findIndex(isNumbering);
}

function isNumbering(stage: Stage): boolean {
  const [program, ...args] = stage.argv;
  return program === "nl" && args.every((arg) => arg.startsWith("-"));
}
