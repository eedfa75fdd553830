import { existsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runSuites } from "../../conformance/run-suites.js";
import { CannotRun, type SuiteAdapter, type SuiteCase } from "../../conformance/suite.js";
import { writeCaseFiles } from "../../conformance/suites/case-files.js";

function adapter(run: SuiteAdapter["run"]): SuiteAdapter {
  return { name: "fake", run };
}

async function outcomes(run: SuiteAdapter["run"], cases: SuiteCase[]) {
  const results = await runSuites([{ name: "fake", cases }], [adapter(run)], new Map(), () => true);
  return results.map(({ name, status, differences }) => ({ name, status, differences }));
}

test("[compat kit] a case that the kit cannot run is neither passed nor failed", async () => {
  const run: SuiteAdapter["run"] = ({ kind }) => {
    if (kind === "odd") throw new CannotRun("unknown kind odd");
    return kind === "wrong" ? "it differs" : undefined;
  };

  const found = await outcomes(run, [
    { name: "a", era: "all", kind: "odd" },
    { name: "b", era: "all", kind: "wrong" },
    { name: "c", era: "all", kind: "right" },
  ]);

  expect(found).toEqual([
    { name: "a", status: "not run", differences: ["unknown kind odd"] },
    { name: "b", status: "failed", differences: ["it differs"] },
    { name: "c", status: "passed", differences: [] },
  ]);
});

test("[compat kit] a case writes only in its folder", async () => {
  const before = process.cwd();
  const stray = "conformance-stray.txt";

  const found = await outcomes(
    async (testCase, { dir }) => {
      if (testCase.kind === "relative") writeFileSync(stray, "here");
      else await writeCaseFiles(dir, { [String(testCase.path)]: "x" });
      return undefined;
    },
    [
      { name: "relative", era: "all", kind: "relative" },
      { name: "up", era: "all", path: "../../conformance-stray.txt" },
      { name: "down", era: "all", path: "a/../b.txt" },
    ],
  );

  expect(found.map(({ status }) => status)).toEqual(["passed", "not run", "passed"]);
  expect(process.cwd()).toBe(before);
  expect(existsSync(join(before, stray))).toBe(false);
  expect(existsSync(join(tmpdir(), stray))).toBe(false);
});
