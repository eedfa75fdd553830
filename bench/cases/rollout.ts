import { statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { bundleProgram, type ChildProgram } from "../child-program.js";
import type { Figure, Scope, Yardstick } from "../figure.js";
import { median } from "../measure.js";
import type { CompactResult } from "../programs/compact.js";
import type { ReadRolloutsOptions, RolloutCost } from "../programs/read-rollouts.js";
import { writeLongRollout, writeManyRollouts } from "../rollout-files.js";

/** Cost of recorded conversations, each beside reading the same bytes with `JSON.parse` alone. */
export async function rolloutFigures(scope: Scope): Promise<Figure[]> {
  const reader = await bundleProgram("bench/programs/read-rollouts.ts");
  const compacter = await bundleProgram("bench/programs/compact.ts");
  try {
    return [
      ...(await resumeFigures(reader, scope)),
      ...(await listFigures(reader, scope)),
      ...(await compactFigures(compacter, scope)),
    ];
  } finally {
    await Promise.all([reader.remove(), compacter.remove()]);
  }
}

async function resumeFigures(reader: ChildProgram, { short, folder }: Scope): Promise<Figure[]> {
  const megabytes = short ? 10 : 100;
  const figures: Figure[] = [];
  for (const summaryEvery of [2, undefined]) {
    const path = join(folder, "long.jsonl");
    const summaries = summaryEvery === undefined ? {} : { summaryEvery };
    writeLongRollout(path, { megabytes, ...summaries });
    const [parsed, resumed] = await costs(reader, [
      { how: "parse", path },
      { how: "resume", path },
    ]);
    const kind = summaryEvery === undefined ? "without summaries" : "with summaries";
    const key = summaryEvery === undefined ? "whole" : "summarized";
    figures.push(
      ...pair(`rollout.resume.${key}`, `resume ${megabytes} MB ${kind}`, resumed, parsed),
    );
    await rm(path);
  }
  return figures;
}

async function listFigures(reader: ChildProgram, { short, folder }: Scope): Promise<Figure[]> {
  const home = join(folder, "home");
  const count = short ? 1000 : 10_000;
  writeManyRollouts(home, count);
  const pageSize = count;
  const [parsed, cold, indexed, first, usage] = await costs(reader, [
    { how: "parse", path: join(home, "sessions") },
    { how: "list", path: home, pageSize, forgetIndex: true },
    { how: "list", path: home, pageSize },
    { how: "list", path: home, pageSize: 25, byUpdate: true },
    { how: "usage", path: home },
  ]);
  if (cold.found !== count || indexed.found !== count || first.found !== 25) {
    throw new Error(`Of ${count} threads ${cold.found} and ${indexed.found} were found`);
  }
  // Each thread has one response.
  if (usage.found !== count) throw new Error(`Of ${count} responses ${usage.found} were counted`);
  await rm(home, { recursive: true });
  const many = count.toLocaleString("en");
  return [
    ...pair("rollout.list.cold", `list ${many} threads, cold`, cold, parsed),
    ...pair("rollout.list.indexed", `list ${many} threads, indexed`, indexed, parsed),
    ...pair("rollout.list.page", "the 25 that changed last, indexed", first, parsed),
    ...pair("rollout.usage", `tokens of ${many} threads`, usage, parsed),
  ];
}

async function compactFigures(compacter: ChildProgram, { folder }: Scope): Promise<Figure[]> {
  const path = join(folder, "five.jsonl");
  const runs: CompactResult[] = [];
  for (let round = 0; round < 3; round++) {
    writeLongRollout(path, { megabytes: 7 });
    runs.push(await compacter.run<CompactResult>({ path, folder }));
  }
  const name = `summarize a history of ${runs[0]?.historyMb.toFixed(1)} MB`;
  return [
    {
      key: "rollout.compact.time",
      name,
      value: median(runs.map(({ compact }) => compact)),
      unit: "ms",
      beside: { name: "JSON.parse of it", value: median(runs.map(({ parse }) => parse)) },
    },
    {
      key: "rollout.compact.peak",
      name: `${name}, most memory`,
      value: median(runs.map(({ peakMb }) => peakMb)),
      unit: "MB",
      beside: { name: "its rollout on disk", value: statSync(path).size / 1024 / 1024 },
    },
  ];
}

/** Time and memory of the same thing. */
function pair(key: string, name: string, is: RolloutCost, parse: RolloutCost): Figure[] {
  const beside = (value: number): Yardstick => ({ name: "JSON.parse alone", value });
  return [
    { key: `${key}.time`, name, value: is.ms, unit: "ms", beside: beside(parse.ms) },
    {
      key: `${key}.peak`,
      name: `${name}, most memory`,
      value: is.peakMb,
      unit: "MB",
      beside: beside(parse.peakMb),
    },
  ];
}

/** Runs each in a separate process, three times in rotation, so that noise affects all alike. */
async function costs<const Options extends readonly ReadRolloutsOptions[]>(
  reader: ChildProgram,
  options: Options,
): Promise<{ [Index in keyof Options]: RolloutCost }> {
  const runs = options.map((): RolloutCost[] => []);
  for (let round = 0; round < 3; round++) {
    for (const [index, one] of options.entries()) {
      runs[index]?.push(await reader.run<RolloutCost>(one));
    }
  }
  return runs.map(middle) as { [Index in keyof Options]: RolloutCost };
}

function middle(runs: readonly RolloutCost[]): RolloutCost {
  return {
    ms: median(runs.map(({ ms }) => ms)),
    peakMb: median(runs.map(({ peakMb }) => peakMb)),
    found: Math.min(...runs.map(({ found }) => found)),
  };
}
