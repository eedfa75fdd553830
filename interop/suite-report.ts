/** Result of a program's test suite. */
export interface SuiteReport {
  passed: number;
  /** The names of the tests that did not pass. */
  failed: string[];
}

/** Reads the output of `jest --json`; a file that cannot be run counts as a failing test. */
export function readJestReport(text: string): SuiteReport {
  const { testResults } = JSON.parse(text) as {
    testResults: {
      name: string;
      status: string;
      assertionResults: { status: string; fullName: string }[];
    }[];
  };
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  return {
    passed: tests.filter(({ status }) => status === "passed").length,
    failed: [
      ...tests.filter(({ status }) => status === "failed").map(({ fullName }) => fullName),
      ...broken.map(({ name }) => name),
    ],
  };
}

/** Reads the output of `pytest --junitxml`. */
export function readJunitReport(text: string): SuiteReport {
  const report: SuiteReport = { passed: 0, failed: [] };
  // The file is written by a program and has no tag in its text, where `<` is an entity.
  for (const [, tag = "", inner = ""] of text.matchAll(
    /<testcase ([^>]*?)(?:\/>|>(.*?)<\/testcase>)/gs,
  )) {
    if (/<(failure|error)\b/.test(inner))
      report.failed.push(/\bname="([^"]*)"/.exec(tag)?.[1] ?? tag);
    else if (!/<skipped\b/.test(inner)) report.passed++;
  }
  return report;
}
