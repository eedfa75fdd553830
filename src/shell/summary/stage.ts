import type { ParsedCommand } from "../../protocol/types.js";
import { joinWords } from "../quote.js";
import { pathFrom, shortPath } from "./paths.js";
import type { Summary } from "./program.js";
import { versionedPython } from "./python.js";
import type { ParsedCommandRules } from "./rules.js";

/** One command of a script and its summary as clients see it. */
export interface Stage {
  argv: readonly string[];
  parsed: ParsedCommand;
}

/** Summarizes one command; `directory` is where an earlier `cd` went. */
export function toStage(
  argv: readonly string[],
  directory: string | undefined,
  rules: ParsedCommandRules,
): Stage {
  const [name = "", ...args] = argv;
  const known = Object.hasOwn(rules.programs, name) ? rules.programs[name] : undefined;
  const program = known ?? ("python" in rules.programs ? versionedPython(name) : undefined);
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
