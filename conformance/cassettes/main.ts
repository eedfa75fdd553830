// `npm run conformance:cassettes`: every trace with model traffic is recorded as a cassette and replayed, and is itself replayed
// as a cassette. All three runs must leave equal rollouts under a clock that stands still.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { EraName } from "../../src/index.js";
import { type Cassette, recordCassette, replayCassette } from "../../src/testing/index.js";
import { fillPlaces } from "../match/places.js";
import { toMatcher } from "../options.js";
import { type Folders, furnish, makeFolders, removeFolders } from "../replay/folders.js";
import { startModelServer } from "../replay/model-server.js";
import { readTraces } from "../trace/read-traces.js";
import type { Json, Trace } from "../trace/trace.js";
import { play } from "./play.js";
import { promptsOf } from "./prompts.js";

const { values } = parseArgs({
  options: {
    shared: { type: "string", default: "../shared" },
    only: { type: "string", multiple: true, default: [] },
    verbose: { type: "boolean", short: "v", default: false },
  },
});
const matchers = values.only.map(toMatcher);
const wanted = (id: string) => matchers.length === 0 || matchers.some((fits) => fits(id));
const dirs = ["traces", "traces-166"].map((name) => resolve(values.shared, name));
const found = dirs.map(async (dir) =>
  (await readTraces({ dir }, wanted)).map((trace) => ({ trace, dir })),
);
const traces = (await Promise.all(found)).flat();
const withTraffic = traces.filter(({ trace }) => trace.responses.length > 0);

let equal = 0;
for (const one of withTraffic) {
  const problem = await check(one).catch((error: unknown) => `the run failed: ${error}`);
  if (problem === undefined) equal++;
  const name = `${one.trace.group}/${one.trace.name}`;
  if (problem !== undefined || values.verbose) console.log(`${name}: ${problem ?? "equal"}`);
}
console.log(
  `cassettes: ${equal} of ${withTraffic.length} traces with model traffic replay with equal rollouts (${traces.length - withTraffic.length} have none)`,
);
process.exitCode = equal === withTraffic.length && equal > 0 ? 0 : 1;

interface Found {
  trace: Trace;
  dir: string;
}

/** Returns what differs between the recorded run, its replay, and the replay of the trace. */
async function check({ trace, dir }: Found): Promise<string | undefined> {
  const root = await makeFolders();
  const kept = await mkdtemp(join(tmpdir(), "quire-cassettes-"));
  const file = join(kept, "run.cassette");
  const model = await startModelServer(trace);
  const fill = (text: string) => fillPlaces(text, { ...root, port: model.port });
  model.fillWith(async (answer) => JSON.parse(fill(JSON.stringify(answer))) as Json);
  const run = async (cassette: Cassette) => {
    await emptyFolders(root);
    await furnish(root, trace.meta, fill);
    const era = trace.meta.version.split(".").slice(0, 2).join(".") as EraName;
    return play({ folders: root, era, prompts: promptsOf(trace), cassette });
  };
  try {
    const recorded = await run(await recordCassette(file));
    await model.close(); // from here on nothing is answered over the network
    const replayed = await run(await replayCassette(file));
    const source = join(kept, "trace.jsonl");
    const text = await readFile(join(dir, trace.group, `${trace.name}.jsonl`), "utf8");
    await writeFile(source, fill(text));
    const ofTrace = await run(await replayCassette(source));
    return (
      difference("its recorded run", recorded, replayed) ??
      difference("the trace as a cassette", recorded, ofTrace)
    );
  } finally {
    await model.close().catch(() => undefined);
    await removeFolders(root);
    await rm(kept, { recursive: true, force: true });
  }
}

async function emptyFolders({ root, workspace, codexHome, home }: Folders): Promise<void> {
  for (const folder of [workspace, codexHome, home]) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder);
  }
  await rm(join(root, "remote.git"), { recursive: true, force: true });
}

/** Describes the first line in which a rollout differs. */
function difference(of: string, expected: string[], found: string[]): string | undefined {
  const at = expected.findIndex((line, index) => line !== found[index]);
  const index = at < 0 && found.length > expected.length ? expected.length : at;
  if (index < 0) return undefined;
  const [one = "(end)", other = "(end)"] = [expected[index], found[index]];
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const shown = (text: string) => text.slice(Math.max(0, start - 60), start + 120);
  return `the rollout of ${of} differs in line ${index + 1}:\n  recorded: ${shown(one)}\n  replayed: ${shown(other)}`;
}
