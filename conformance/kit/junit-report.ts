import { escapeMarkup } from "./markup.js";
import type { KitReport, KitResult } from "./report.js";

/** Formats a run as JUnit XML: one suite per level, one case per trace. */
export function junitReport({ levels, results, seconds }: KitReport): string {
  const suites = Object.entries(levels).map(([level, { total, failed, notRun }]) => {
    const own = results.filter((result) => result.level === level);
    const time = own.reduce((sum, { ms = 0 }) => sum + ms, 0) / 1000;
    const head = `  <testsuite name="${level}"${counts(total, failed, notRun, time)}>`;
    return [head, ...own.map(testCase), "  </testsuite>"].join("\n");
  });
  const failed = results.filter(({ status }) => status === "failed").length;
  const notRun = results.filter(({ status }) => status === "not run").length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="quire-conformance"${counts(results.length, failed, notRun, seconds)}>`,
    ...suites,
    "</testsuites>\n",
  ].join("\n");
}

function counts(total: number, failed: number, notRun: number, seconds: number): string {
  return ` tests="${total}" failures="${failed}" errors="0" skipped="${notRun}" time="${seconds.toFixed(3)}"`;
}

function testCase({ group, name, version, status, differences, ms = 0 }: KitResult): string {
  const head = `    <testcase classname="${escapeMarkup(`${version} ${group}`)}" name="${escapeMarkup(name)}" time="${(ms / 1000).toFixed(3)}"`;
  const [first = ""] = differences;
  const message = escapeMarkup(first.slice(0, 300));
  if (status === "failed") {
    const text = escapeMarkup(differences.join("\n"));
    return `${head}>\n      <failure message="${message}">${text}</failure>\n    </testcase>`;
  }
  if (status === "not run") return `${head}><skipped message="${message}"/></testcase>`;
  return `${head}/>`;
}
