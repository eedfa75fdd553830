import { expect, test } from "vitest";
import { readJestReport, readJunitReport } from "../../interop/suite-report.js";

test("a pytest report counts passes and names failures", () => {
  const report = `<testsuites><testsuite tests="4">
<testcase classname="a" name="test_good" time="0.1" />
<testcase classname="a" name="test_bad[x&gt;1]" time="0.1"><failure message="a &lt; b">
assert a &lt; b</failure></testcase>
<testcase classname="a" name="test_broken" time="0.1"><error message="no"/></testcase>
<testcase classname="a" name="test_skipped" time="0"><skipped type="x"/></testcase>
<testcase classname="a" name="test_loud" time="0.1"><system-out>hello</system-out></testcase>
</testsuite></testsuites>`;

  expect(readJunitReport(report)).toEqual({
    passed: 2,
    failed: ["test_bad[x&gt;1]", "test_broken"],
  });
});

test("a Jest report counts passes and names failures, including whole files", () => {
  const report = JSON.stringify({
    testResults: [
      {
        name: "a.test.ts",
        status: "failed",
        assertionResults: [
          { status: "passed", fullName: "a good" },
          { status: "failed", fullName: "a bad" },
          { status: "pending", fullName: "a later" },
        ],
      },
      { name: "b.test.ts", status: "failed", assertionResults: [] },
    ],
  });

  expect(readJestReport(report)).toEqual({ passed: 1, failed: ["a bad", "b.test.ts"] });
});
