import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { toMatcher, wholeNumber, words } from "../options.js";
import { LEVEL_SUMMARY, LEVELS, type Level } from "./levels.js";

/** Options of one run of `quire-conformance`. */
export interface KitOptions {
  program: string[];
  /** Folder of traces; default: those of the package. */
  traces: string | undefined;
  deviations: string | undefined;
  levels: readonly Level[];
  /** Versions of the reference, by their beginning; empty: all of them. */
  eras: string[];
  wanted: (id: string) => boolean;
  list: boolean;
  eventsOnly: boolean;
  verbose: boolean;
  /** Files to write; "-" is the standard output. */
  reports: { json?: string; junit?: string; html?: string };
  jobs: number;
  retries: number;
  timeoutMs: number;
}

/** Usage of `quire-conformance`. */
export const KIT_USAGE = `Usage: quire-conformance --bin CMD [options]

Replays recorded conversations of Codex clients against a program and compares its messages.
\`CMD app-server\`, \`CMD proto\`, \`CMD mcp\` and \`CMD exec --json\` must start the surfaces that are tested.

Options:
  --bin CMD          Command that takes the place of \`codex\`
  --level LEVEL      Run only this level; may be repeated
  --era VERSION      Run only recordings of this version: 0.42, 0.45, 0.104, 0.166; may be repeated
  --filter GLOB      Run only these (group/name); may be repeated
  --list             Print the traces with level and version, and run nothing
  --events-only      Do not compare the requests to the model
  --json [FILE]      Write all results as JSON (default: standard output)
  --junit [FILE]     Write a JUnit report
  --html [FILE]      Write a report for browsers
  --traces DIR       Use other traces
  --deviations FILE  Accept the intended differences in this file
  --jobs N           Number of traces that run at a time
  --timeout MS       Longest wait for a line (default: 10000)
  --retries N        Runs again what differs, because some orders are races (default: 1)
  -v, --verbose      Print the differences
  -h, --help         Print help

Levels:
${LEVELS.map((level) => `  ${level.padEnd(10)} ${LEVEL_SUMMARY[level]}`).join("\n")}

The exit code is 0 if all traces passed, 1 if one failed or none ran, 2 if an option is wrong.`;

/** Reads the command line; throws with a sentence if it makes no sense. */
export function parseKitOptions(args: string[]): KitOptions | "help" {
  const { values } = parseArgs({
    args: withDefaultFiles(args),
    options: {
      bin: { type: "string" },
      level: { type: "string", multiple: true, default: [] },
      era: { type: "string", multiple: true, default: [] },
      filter: { type: "string", multiple: true, default: [] },
      list: { type: "boolean", default: false },
      "events-only": { type: "boolean", default: false },
      json: { type: "string" },
      junit: { type: "string" },
      html: { type: "string" },
      traces: { type: "string" },
      deviations: { type: "string" },
      jobs: { type: "string", default: String(availableParallelism()) },
      timeout: { type: "string", default: "10000" },
      retries: { type: "string", default: "1" },
      verbose: { type: "boolean", short: "v", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  const program = words(values.bin ?? "");
  if (program.length === 0 && !values.list) {
    throw new Error('`--bin` is required: the command to test, such as `--bin "node server.js"`');
  }
  const matchers = values.filter.map(toMatcher);
  return {
    program: program.map((word, index) => (isPath(word, index) ? resolve(word) : word)),
    traces: values.traces === undefined ? undefined : resolve(values.traces),
    deviations: values.deviations,
    levels: values.level.length === 0 ? LEVELS : values.level.map(toLevel),
    eras: values.era.map(toEra),
    wanted: (id) => matchers.length === 0 || matchers.some((matches) => matches(id)),
    list: values.list,
    eventsOnly: values["events-only"],
    verbose: values.verbose,
    reports: toReports(values),
    jobs: wholeNumber(values.jobs, "--jobs", 1),
    retries: wholeNumber(values.retries, "--retries", 0),
    timeoutMs: wholeNumber(values.timeout, "--timeout", 1),
  };
}

const REPORTS = ["json", "junit", "html"] as const;

/** A report option without a file writes to the standard output. */
function withDefaultFiles(args: string[]): string[] {
  return args.flatMap((arg, index) => {
    const isReport = REPORTS.some((name) => arg === `--${name}`);
    const next = args[index + 1];
    return isReport && (next === undefined || /^-./.test(next)) ? [`${arg}=-`] : [arg];
  });
}

function toReports(values: KitOptions["reports"]): KitOptions["reports"] {
  const { json, junit, html } = values;
  const printed = REPORTS.filter((name) => values[name] === "-");
  if (printed.length > 1) {
    const names = printed.map((name) => `\`--${name}\``).join(" and ");
    throw new Error(`${names} cannot both use the standard output: name a file`);
  }
  return {
    ...(json === undefined ? {} : { json }),
    ...(junit === undefined ? {} : { junit }),
    ...(html === undefined ? {} : { html }),
  };
}

/** Programs run in another folder, so a relative path of a program or script must not depend on it. */
function isPath(word: string, index: number): boolean {
  return index === 0 ? word.includes("/") : !word.startsWith("-") && existsSync(word);
}

function toLevel(text: string): Level {
  const level = LEVELS.find((one) => one === text);
  if (level !== undefined) return level;
  throw new Error(`Expected \`--level\` to be one of ${LEVELS.join(", ")} (got "${text}")`);
}

function toEra(text: string): string {
  if (/^\d+\.\d+(\.\d+)?$/.test(text)) return text;
  throw new Error(`Expected \`--era\` to be a version such as 0.104 (got "${text}")`);
}
