import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { deviationOf, readDeviations, strayDeviations } from "../../conformance/deviations.js";
import { belowFloor, readFloor, writeFloor } from "../../conformance/floor.js";
import { parseOptions, words } from "../../conformance/options.js";
import { oneAtATime, runPool } from "../../conformance/pool.js";
import { reportText } from "../../conformance/report.js";
import type { Result, Status } from "../../conformance/result.js";
import { eraGroup, readSuites, runSuites } from "../../conformance/run-suites.js";
import type { SuiteAdapter } from "../../conformance/suite.js";
import type { Trace } from "../../conformance/trace/trace.js";

let dir = "";
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "counts-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

function result(name: string, status: Status): Result {
  return { kind: "trace", group: "proto", name, status, differences: [] };
}

const sums: SuiteAdapter = {
  name: "sums",
  run({ a, b, expect: sum }) {
    if (typeof a !== "number") throw new Error("a is no number");
    const got = a + Number(b);
    return got === sum ? undefined : `expected ${sum}, got ${got}`;
  },
};

test("cases run by their adapter, or report why not", async () => {
  const cases = [
    { name: "right", era: "all", a: 1, b: 2, expect: 3 },
    { name: "wrong", era: "v0.98", a: 1, b: 2, expect: 4 },
    { name: "throws", era: "head", a: "x" },
    { name: "elsewhere", era: "head", platform: "amiga", a: 1, b: 1, expect: 2 },
    { name: "known", era: "v0.39", a: 1, b: 2, expect: 5 },
    { name: "stale", era: "v0.39", a: 1, b: 2, expect: 3 },
  ];
  await writeFile(join(dir, "sums.json"), JSON.stringify({ cases }));
  await writeFile(join(dir, "other.json"), JSON.stringify({ cases: [{ name: "x", era: "all" }] }));
  const known = { why: "w", source: "s", except: [], edits: [] };
  const deviations = new Map(["sums/known", "sums/stale"].map((id) => [id, { id, ...known }]));

  const results = await runSuites(await readSuites(dir), [sums], deviations, () => true);

  const brief = results.map((one) => [one.name, one.status, one.differences[0]?.split("\n")[0]]);
  expect(brief).toEqual([
    ["x", "not run", "no adapter"],
    ["right", "passed", undefined],
    ["wrong", "failed", "expected 4, got 3"],
    ["throws", "failed", "Error: a is no number"],
    ["elsewhere", "not run", "only on amiga"],
    ["known", "deviation", undefined],
    ["stale", "failed", "stale deviation: the case passes"],
  ]);
});

test.each([
  ["all", "v0.39"],
  ["v0.39+v0.98", "v0.39"],
  ["head+v0.98", "v0.98"],
  ["head", "head"],
])("cases of era %s count as %s", (era, group) => {
  expect(eraGroup(era)).toBe(group);
});

test("falling below the floor is an error, also for a stale deviation", async () => {
  const path = join(dir, "floor.json");
  const reached = [result("a", "passed"), result("b", "passed"), result("c", "deviation")];
  await writeFloor(path, await readFloor(path), reached);
  const floor = await readFloor(path);

  expect(JSON.parse(await readFile(path, "utf8"))).toEqual({
    traces: { proto: { passed: 2, deviations: 1 } },
    suites: {},
  });
  expect(belowFloor(floor, reached)).toEqual([]);
  expect(belowFloor(floor, [])).toEqual([]);
  expect(belowFloor(floor, [result("a", "passed"), result("c", "deviation")])).toEqual([
    "proto: 1 passed, the floor is 2",
  ]);
  expect(belowFloor(floor, [...reached.slice(0, 2), result("c", "failed")])).toEqual([
    "proto: 0 deviations hold, the floor is 1",
  ]);
  expect(belowFloor(floor, [...reached.slice(0, 2), result("c", "not run")])).toEqual([]);
});

test("a deviation needs a description, a reason, a source and what differs", async () => {
  const path = join(dir, "deviations.json");
  const write = (list: object[]) => writeFile(path, JSON.stringify(list));
  const edits = [{ in: "requests", at: 0, unset: ["body"] }];
  const good = { trace: "proto/a", why: "w", source: "s", edits };

  await write([good]);
  expect([...(await readDeviations(path))]).toEqual([
    ["proto/a", { id: "proto/a", why: "w", source: "s", except: [], edits }],
  ]);
  await write([{ trace: "proto/a", why: "w" }]);
  await expect(readDeviations(path)).rejects.toThrow(
    'entry 0 needs "trace" or "case", "why" and "source"',
  );
  await write([{ ...good, edits: [] }]);
  await expect(readDeviations(path)).rejects.toThrow('proto/a needs "edits"');
  await write([good, good]);
  await expect(readDeviations(path)).rejects.toThrow("proto/a is there twice");
});

test("a deviation may stand for several traces, where its edits change something", async () => {
  const path = join(dir, "deviations.json");
  const edits = [{ in: "requests", omit: { "body.tools": ["goal"] } }];
  const shared = { traces: ["proto/*"], except: ["proto/x*"], why: "w", source: "s", edits };
  const own = { trace: "proto/b", why: "own", source: "t", edits: [{ in: "end", set: {} }] };
  await writeFile(path, JSON.stringify([shared, own]));
  const deviations = await readDeviations(path);
  const whyOf = (name: string, ...tools: string[]) => {
    const body = { tools: tools.map((tool) => ({ name: tool })) };
    const trace = { group: "proto", name, requests: [{ body }], end: {} } as unknown as Trace;
    return deviationOf(trace, deviations)?.why;
  };

  expect(whyOf("a", "shell", "goal")).toBe("w");
  expect(whyOf("a", "shell")).toBeUndefined();
  expect(whyOf("xa", "goal")).toBeUndefined();
  expect(whyOf("b", "goal")).toBe("w own");
  expect(strayDeviations(deviations, new Set(["proto/b"]))).toEqual([]);
  expect(strayDeviations(deviations, new Set(["mcp/a"]))).toEqual(["proto/*", "proto/b"]);
});

test("the report counts by group and shows differences on request", () => {
  const failed = { ...result("b", "failed"), differences: ["out 1: wrong"] };

  expect(reportText([result("a", "passed"), failed], true)).toBe(
    [
      "proto/b",
      "  out 1: wrong",
      "",
      "traces",
      "group | passed | total | deviations | failed | events | requests",
      "proto |      1 |     2 |          0 |      1 |      0 |        0",
      "all   |      1 |     2 |          0 |      1 |      0 |        0",
    ].join("\n"),
  );
});

test("a command is split as in a shell", () => {
  expect(words(`node "my server.js" --name='a b' c`)).toEqual([
    "node",
    "my server.js",
    "--name=a b",
    "c",
  ]);
});

test("names are selected by pattern, and invalid options are reported", () => {
  const options = parseOptions(["--only", "proto/exec-*", "--only", "mcp/?"], {});
  if (options === "help") throw new Error("no help was asked for");

  expect(["proto/exec-ok", "proto/message", "mcp/a", "mcp/ab"].map(options.wanted)).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(() => parseOptions(["--jobs", "none"], {})).toThrow(
    '--jobs needs a whole number from 1 on, not "none"',
  );
  expect(() => parseOptions(["--traces-only", "--suites-only"], {})).toThrow(
    "leave nothing to run",
  );
});

test("a pool respects its limit and the order of its items", async () => {
  let running = 0;
  let most = 0;
  const done = await runPool([3, 1, 2], 2, async (item) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    return item * 10;
  });

  expect({ done, most }).toEqual({ done: [30, 10, 20], most: 2 });
});

test("jobs with the same resource run one at a time, also after a failure", async () => {
  const alone = oneAtATime();
  const steps: string[] = [];
  const job = (name: string) => async () => {
    steps.push(`${name} starts`);
    await new Promise((resolve) => setImmediate(resolve));
    steps.push(`${name} ends`);
    if (name === "a") throw new Error("a failed");
  };

  await Promise.allSettled([alone(job("a")), alone(job("b"))]);

  expect(steps).toEqual(["a starts", "a ends", "b starts", "b ends"]);
});
