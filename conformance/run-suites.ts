import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Deviation } from "./deviations.js";
import type { Result } from "./result.js";
import { CannotRun, type SuiteAdapter, type SuiteCase } from "./suite.js";

/** A file of cases. */
export interface Suite {
  name: string;
  cases: SuiteCase[];
}

/** Reads the suite files of a folder, in the order of their names. */
export async function readSuites(dir: string): Promise<Suite[]> {
  const suites: Suite[] = [];
  for (const file of (await readdir(dir)).sort()) {
    if (!file.endsWith(".json")) continue;
    const content = JSON.parse(await readFile(join(dir, file), "utf8")) as { cases?: SuiteCase[] };
    if (!Array.isArray(content.cases)) throw new Error(`${join(dir, file)}: no list of cases`);
    suites.push({ name: file.slice(0, -".json".length), cases: content.cases });
  }
  return suites;
}

/** Runs the wanted cases of suites one after the other. */
export async function runSuites(
  suites: Suite[],
  adapters: SuiteAdapter[],
  deviations: Map<string, Deviation>,
  wanted: (id: string) => boolean,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const suite of suites) {
    const adapter = adapters.find((one) => one.name === suite.name);
    for (const testCase of suite.cases) {
      const id = `${suite.name}/${testCase.name}`;
      if (!wanted(id)) continue;
      const outcome = await runCase(testCase, adapter, deviations.get(id));
      results.push({
        kind: "suite",
        group: suite.name,
        name: testCase.name,
        era: eraGroup(testCase.era),
        ...outcome,
      });
    }
  }
  return results;
}

/** The three ages cases are counted by: of the specification, of the v2 documents, of today. */
export function eraGroup(era: string): string {
  const eras = era.split("+");
  if (eras.includes("all") || eras.includes("v0.39")) return "v0.39";
  return eras.includes("v0.98") ? "v0.98" : "head";
}

async function runCase(
  testCase: SuiteCase,
  adapter: SuiteAdapter | undefined,
  deviation: Deviation | undefined,
): Promise<Pick<Result, "status" | "differences">> {
  if (!adapter) return { status: "not run", differences: ["no adapter"] };
  const elsewhere = adapter.runsAnyPlatform ? undefined : whyNotHere(testCase);
  if (elsewhere) return { status: "not run", differences: [elsewhere] };
  const difference = await attempt(testCase, adapter);
  if (difference instanceof CannotRun) {
    return { status: "not run", differences: [difference.message] };
  }
  if (!deviation) {
    if (difference === undefined) return { status: "passed", differences: [] };
    return { status: "failed", differences: [difference] };
  }
  if (difference !== undefined) return { status: "deviation", differences: [] };
  return { status: "failed", differences: ["stale deviation: the case passes"] };
}

async function attempt(
  testCase: SuiteCase,
  adapter: SuiteAdapter,
): Promise<string | CannotRun | undefined> {
  const root = await mkdtemp(join(tmpdir(), "conformance-case-"));
  const dir = join(root, "case");
  const before = process.cwd();
  try {
    await mkdir(dir);
    // A path that a case leaves relative must not lead into the folder the kit was started in.
    process.chdir(dir);
    return await adapter.run(testCase, { dir });
  } catch (error) {
    if (error instanceof CannotRun) return error;
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    process.chdir(before);
    await rm(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

const PLATFORMS: Record<string, string> = { linux: "linux", macos: "darwin", windows: "win32" };

function whyNotHere({ platform, unix }: SuiteCase): string | undefined {
  if (platform !== undefined && (PLATFORMS[platform] ?? platform) !== process.platform) {
    return `only on ${platform}`;
  }
  return unix === true && process.platform === "win32" ? "only on Unix" : undefined;
}
