import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { adaptTrace, readAdaptations } from "../adaptations.js";
import { readDeviations } from "../deviations.js";
import type { Result } from "../result.js";
import { runTraces } from "../run-traces.js";
import { readTraces } from "../trace/read-traces.js";
import type { Trace } from "../trace/trace.js";
import { htmlReport } from "./html-report.js";
import { junitReport } from "./junit-report.js";
import { levelOf } from "./levels.js";
import { checkFormat } from "./manifest.js";
import { KIT_USAGE, type KitOptions, parseKitOptions } from "./options.js";
import { type KitReport, textReport, toReport } from "./report.js";

/** Traces of the package; the build writes them beside this file. */
const PACKED = fileURLToPath(new URL("traces", import.meta.url));

/** Runs `quire-conformance` and returns the exit code. */
async function main(args: string[]): Promise<number> {
  const options = parseKitOptions(args);
  if (options === "help") {
    console.log(KIT_USAGE);
    return 0;
  }
  const traces = await chooseTraces(options);
  if (options.list) {
    for (const trace of traces) {
      console.log(`${levelOf(trace).padEnd(10)} ${trace.meta.version.padEnd(8)} ${idOf(trace)}`);
    }
    return traces.length > 0 ? 0 : 1;
  }
  const started = performance.now();
  const results = await runTraces(traces, await readDeviations(options.deviations), options);
  const levels = new Map(traces.map((trace) => [idOf(trace), trace]));
  const report = toReport(results, {
    program: options.program,
    seconds: (performance.now() - started) / 1000,
    describe: (result) => {
      const trace = levels.get(`${result.group}/${result.name}`) as Trace;
      return { level: levelOf(trace), version: trace.meta.version };
    },
  });
  await writeReports(report, results, options);
  return report.passed ? 0 : 1;
}

/** Reads the traces that the options select, as they apply to this machine. */
async function chooseTraces(options: KitOptions): Promise<Trace[]> {
  const dir = options.traces ?? PACKED;
  await checkFormat(dir);
  const recorded = await readTraces({ dir }, options.wanted).catch((error: Error) => {
    throw new Error(`Cannot read the traces in ${dir}: ${error.message}`);
  });
  const adaptations = await readAdaptations(join(dir, "adaptations.json"));
  return recorded
    .filter((trace) => options.levels.includes(levelOf(trace)))
    .filter(({ meta }) => options.eras.length === 0 || options.eras.some(isOf(meta.version)))
    .map((trace) => adaptTrace(trace, adaptations));
}

function isOf(version: string): (era: string) => boolean {
  return (era) => version === era || version.startsWith(`${era}.`);
}

function idOf({ group, name }: Trace): string {
  return `${group}/${name}`;
}

async function writeReports(
  report: KitReport,
  results: Result[],
  { reports, verbose }: KitOptions,
): Promise<void> {
  const makers = {
    json: () => `${JSON.stringify(report, null, 2)}\n`,
    junit: () => junitReport(report),
    html: () => htmlReport(report),
  };
  // A report on the standard output is for a program; people read the summary beside it.
  const printed = Object.values(reports).includes("-");
  const print = printed ? console.error : console.log;
  print(textReport(report, results, verbose));
  for (const name of ["json", "junit", "html"] as const) {
    const file = reports[name];
    if (file === undefined) continue;
    if (file === "-") process.stdout.write(makers[name]());
    else await writeFile(file, makers[name]());
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(`quire-conformance: ${(error as Error).message}\nSee quire-conformance --help`);
  process.exitCode = 2;
}
