import type { ParsedCommand } from "../../protocol/types.js";
import { joinWords } from "../quote.js";
import { cdTarget, pathFrom, shortPath } from "./paths.js";
import type { Summary } from "./program.js";
import type { ParsedCommandRules } from "./rules.js";

/** Summarizes commands in order; with `cd: "followed"`, a `cd` applies to later ones. */
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

/** One command of a script and its summary for clients. */
interface Stage {
  argv: readonly string[];
  parsed: ParsedCommand;
}

/** Summarizes one command; `directory` is the target of an earlier `cd`. */
function toStage(
  argv: readonly string[],
  directory: string | undefined,
  rules: ParsedCommandRules,
): Stage {
  const [name = "", ...args] = argv;
  // `python3.12` and the like are treated as `python`.
  const known = /^python[23]\../.test(name) ? "python" : name;
  const program = Object.hasOwn(rules.programs, known) ? rules.programs[known] : undefined;
  const summary = program?.(args);
  return { argv, parsed: toParsedCommand(joinWords(argv), summary, directory, rules) };
}

function toParsedCommand(
  cmd: string,
  summary: Summary | undefined,
  directory: string | undefined,
  rules: ParsedCommandRules,
): ParsedCommand {
  if (summary === undefined) return { type: "unknown", cmd };
  if (summary.type === "read") {
    const path = rules.readPath ? { path: pathFrom(directory, summary.path) } : {};
    return { type: "read", cmd, name: shortPath(summary.path), ...path };
  }
  const path = summary.path === undefined ? {} : { path: shortPath(summary.path) };
  if (summary.type === "list_files") return { type: "list_files", cmd, ...path };
  const query = summary.query === undefined ? {} : { query: summary.query };
  return { type: "search", cmd, ...query, ...path };
}

/**
 * Omits stages that do not show the purpose of a command: a leading `echo`, a `cd` before other
 * commands, `true`, and `nl` without a file. The last stage always stays.
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

/** Returns true if a stage is a bare `true`. */
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
