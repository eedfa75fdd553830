import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";

/** A folder of traces, of which only some groups may belong to a run. */
export interface TraceFolder {
  dir: string;
  /** Default: all of them. */
  groups?: string[];
}

/** Groups of `traces-166` whose features exist here; the default run has these. */
const GROUPS_166 = [
  "agents-166",
  "code-mode-166",
  "goals-166",
  "hooks-166",
  "methods-166",
  "permissions-166",
];

/** Options of one run of the kit. */
export interface Options {
  traces: TraceFolder[];
  suites: string;
  /** True if the folders are those of `../shared`, for which there is a floor. */
  shared: boolean;
  program: string[];
  /** True if the program is not this project's. */
  foreign: boolean;
  wanted: (id: string) => boolean;
  partial: boolean;
  runTraces: boolean;
  runSuites: boolean;
  eventsOnly: boolean;
  verbose: boolean;
  json: string | undefined;
  updateFloor: boolean;
  deviations: string | undefined;
  jobs: number;
  /** Number of retries for a trace that differs. */
  retries: number;
  timeoutMs: number;
}

/** Usage of the kit. */
export const USAGE = `npm run conformance -- [options]
  --shared DIR       where traces/, traces-166/ and suites/ are (../shared)
  --traces DIR       other traces            --suites DIR  other suites
  --bin "CMD"        another program in the place of this project's
  --only GLOB        group/name of a trace or suite/name of a case; may be repeated
  --traces-only, --suites-only, --events-only
  -v                 what differs            --json FILE   all results
  --deviations FILE  wanted differences (conformance/deviations.json; none with --bin)
  --jobs N           traces at a time        --timeout MS  bound of every wait (10000)
  --retries N        runs again what differs, for races (1; 0 with --only)
  --update-floor     keep the counts reached as the new floor`;

/** Reads the command line, which may just ask for help; throws with a sentence when it makes no sense. */
export function parseOptions(
  args: string[],
  env: Record<string, string | undefined>,
): Options | "help" {
  const { values } = parseArgs({
    args,
    options: {
      shared: { type: "string", default: "../shared" },
      traces: { type: "string" },
      suites: { type: "string" },
      bin: { type: "string" },
      only: { type: "string", multiple: true, default: [] },
      "traces-only": { type: "boolean", default: false },
      "suites-only": { type: "boolean", default: false },
      "events-only": { type: "boolean", default: false },
      verbose: { type: "boolean", short: "v", default: false },
      json: { type: "string" },
      "update-floor": { type: "boolean", default: false },
      deviations: { type: "string" },
      jobs: { type: "string", default: env.CONFORMANCE_JOBS ?? String(availableParallelism() + 1) },
      timeout: { type: "string", default: "10000" },
      retries: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  if (values["traces-only"] && values["suites-only"]) {
    throw new Error("--traces-only and --suites-only leave nothing to run");
  }
  const foreign = values.bin !== undefined;
  const program =
    values.bin === undefined ? [process.execPath, resolve("bin/quire.js")] : words(values.bin);
  if (program.length === 0) throw new Error("--bin needs a command");
  const matchers = values.only.map(toMatcher);
  return {
    traces:
      values.traces === undefined
        ? [
            { dir: resolve(`${values.shared}/traces`) },
            { dir: resolve(`${values.shared}/traces-166`), groups: GROUPS_166 },
          ]
        : [{ dir: resolve(values.traces) }],
    suites: resolve(values.suites ?? `${values.shared}/suites`),
    shared: values.traces === undefined && values.suites === undefined,
    program,
    foreign,
    wanted: (id) => matchers.length === 0 || matchers.some((matches) => matches(id)),
    partial: matchers.length > 0,
    runTraces: !values["suites-only"],
    runSuites: !values["traces-only"] && !foreign,
    eventsOnly: values["events-only"],
    verbose: values.verbose,
    json: values.json,
    updateFloor: values["update-floor"],
    deviations: values.deviations ?? (foreign ? undefined : "conformance/deviations.json"),
    jobs: wholeNumber(values.jobs, "--jobs", 1),
    retries: wholeNumber(values.retries ?? (matchers.length > 0 ? "0" : "1"), "--retries", 0),
    timeoutMs: wholeNumber(values.timeout, "--timeout", 1),
  };
}

/** Splits a command like a shell does, as far as spaces and quotes go. */
export function words(command: string): string[] {
  const found = command.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? [];
  return found.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

/** Turns a glob for `group/name` into a function that tests names. */
export function toMatcher(glob: string): (id: string) => boolean {
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  const regexp = new RegExp(`^${source}$`, "s");
  return (id) => regexp.test(id);
}

/** Reads a whole number of an option; throws if it is smaller than `least`. */
export function wholeNumber(text: string, name: string, least: number): number {
  const number = Number(text);
  if (text.trim() !== "" && Number.isInteger(number) && number >= least) return number;
  throw new Error(`${name} needs a whole number from ${least} on, not "${text}"`);
}
