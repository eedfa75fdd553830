import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { adaptTrace, readAdaptations } from "./adaptations.js";
import { readDeviations, strayDeviations } from "./deviations.js";
import { belowFloor, readFloor, writeFloor } from "./floor.js";
import { type Options, parseOptions, USAGE } from "./options.js";
import { reportJson, reportText } from "./report.js";
import type { Result } from "./result.js";
import { readSuites, runSuites } from "./run-suites.js";
import { runTraces } from "./run-traces.js";
import * as adapters from "./suites/index.js";
import { readTraces } from "./trace/read-traces.js";

const FLOOR = "conformance/floor.json";

/** Runs the kit and returns the exit code. */
async function main(args: string[]): Promise<number> {
  const options = parseOptions(args, process.env);
  if (options === "help") {
    console.log(USAGE);
    return 0;
  }
  const missing = [
    ...(options.runTraces ? options.traces.map(({ dir }) => dir) : []),
    ...(options.runSuites ? [options.suites] : []),
  ].filter((dir) => !existsSync(dir));
  if (missing.length > 0) {
    console.log(`CONFORMANCE DID NOT RUN: there is no ${missing.join(" and no ")}.`);
    return 1;
  }
  if (options.runTraces && !options.foreign && !existsSync("dist/cli/main.js")) {
    console.log("CONFORMANCE DID NOT RUN: the program is not built; run `npm run build` first.");
    return 1;
  }
  const { results, problems } = await run(options);
  if (results.length === 0) problems.push("nothing was run: no trace or case has such a name");
  else if (results.every(({ status }) => status === "not run")) {
    problems.push("nothing was run: the kit cannot run any of these (-v shows why)");
  }
  console.log(reportText(results, options.verbose));
  if (options.json !== undefined) await writeFile(options.json, reportJson(results));
  return conclude(results, problems, options);
}

async function run(options: Options): Promise<{ results: Result[]; problems: string[] }> {
  const deviations = await readDeviations(options.deviations);
  const results: Result[] = [];
  if (options.runTraces) {
    const adaptations = await readAdaptations("conformance/adaptations.json");
    const folders = options.traces.map((folder) => readTraces(folder, options.wanted));
    const recorded = (await Promise.all(folders)).flat();
    const traces = recorded.map((trace) => adaptTrace(trace, adaptations));
    results.push(...(await runTraces(traces, deviations, options)));
  }
  if (options.runSuites) {
    const suites = await readSuites(options.suites);
    results.push(...(await runSuites(suites, Object.values(adapters), deviations, options.wanted)));
  }
  const whole = !options.partial && options.shared && options.runTraces && options.runSuites;
  const ids = new Set(results.map((result) => `${result.group}/${result.name}`));
  const stray = whole ? strayDeviations(deviations, ids) : [];
  return { results, problems: stray.map((id) => `${options.deviations}: there is no ${id}`) };
}

/** Compares with the floor if there is one; otherwise every difference counts. */
async function conclude(results: Result[], problems: string[], options: Options): Promise<number> {
  const stale = results.filter((result) =>
    result.differences.some((one) => one.startsWith("stale ")),
  );
  problems.push(...stale.map((result) => `${result.group}/${result.name}: its deviation is stale`));
  const hasFloor = options.shared && !options.foreign && !options.partial && !options.eventsOnly;
  if (!hasFloor) {
    const failed = results.filter((result) => result.status === "failed").length;
    if (failed > 0)
      problems.push(`${failed} failed${options.verbose ? "" : " (-v shows what differs)"}`);
  } else if (options.updateFloor) {
    await writeFloor(FLOOR, await readFloor(FLOOR), results);
  } else {
    problems.push(...belowFloor(await readFloor(FLOOR), results));
  }
  for (const problem of problems) console.log(problem);
  return problems.length > 0 ? 1 : 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(`${(error as Error).message}\n\n${USAGE}`);
  process.exitCode = 2;
}
