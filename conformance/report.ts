import { type Result, type Tally, tally } from "./result.js";

/** Maximum number of differences shown per trace or case. */
const SHOWN = 8;

/** Formats the results for people: a table per kind, and the differences if requested. */
export function reportText(results: Result[], verbose: boolean): string {
  const traces = results.filter((result) => result.kind === "trace");
  const suites = results.filter((result) => result.kind === "suite");
  const parts: string[] = [];
  if (verbose) parts.push(...results.flatMap(details));
  if (traces.length > 0) parts.push(table("traces", traceRows(traces)));
  if (suites.length > 0) parts.push(table("suites", suiteRows(suites)));
  const again = traces.filter((one) => one.status !== "failed" && (one.runs ?? 1) > 1);
  if (again.length > 0) {
    const names = again.map((one) => `${one.group}/${one.name}`).join(", ");
    parts.push(`agreed only when run again: ${names}`);
  }
  return parts.join("\n\n");
}

/** The results as data for other programs. */
export function reportJson(results: Result[]): string {
  const counts = (kind: Result["kind"]) =>
    Object.fromEntries(
      tally(
        results.filter((result) => result.kind === kind),
        (result) => result.group,
      ),
    );
  return `${JSON.stringify({ traces: counts("trace"), suites: counts("suite"), results }, null, 2)}\n`;
}

function details(result: Result): string[] {
  if (result.status !== "failed" && result.status !== "not run") return [];
  const { differences } = result;
  const mark = result.status === "not run" ? "not run: " : "";
  const lines = differences.slice(0, SHOWN).map((line) => `  ${mark}${line}`);
  if (differences.length > SHOWN) lines.push(`  … and ${differences.length - SHOWN} more`);
  return [[`${result.group}/${result.name}`, ...lines].join("\n")];
}

function traceRows(results: Result[]): string[][] {
  const groups = tally(results, (result) => result.group);
  const row = (name: string, count: Tally) =>
    [
      name,
      count.passed,
      count.total,
      count.deviations,
      count.failed,
      count.events,
      count.requests,
    ].map(String);
  const head = ["group", "passed", "total", "deviations", "failed", "events", "requests"];
  const rows = [...groups].map(([name, count]) => row(name, count));
  return [head, ...rows, row("all", sum(results))];
}

function suiteRows(results: Result[]): string[][] {
  const eras = ["v0.39", "v0.98", "head"];
  const groups = tally(results, (result) => result.group);
  const byEra = tally(results, (result) => `${result.group} ${result.era}`);
  const allByEra = tally(results, (result) => `all ${result.era}`);
  const share = (counts: Map<string, Tally>, name: string) =>
    eras.map((era) => {
      const count = counts.get(`${name} ${era}`);
      return count ? `${count.passed}/${count.total}` : "-";
    });
  const row = (name: string, count: Tally, counts: Map<string, Tally>) => [
    name,
    ...[count.passed, count.total, count.deviations, count.failed, count.notRun].map(String),
    ...share(counts, name),
  ];
  const head = [
    "suite",
    "passed",
    "total",
    "deviations",
    "failed",
    "not run",
    "all, v0.39",
    "v0.98",
    "head",
  ];
  const rows = [...groups].map(([name, count]) => row(name, count, byEra));
  return [head, ...rows, row("all", sum(results), allByEra)];
}

function sum(results: Result[]): Tally {
  return tally(results, () => "all").get("all") as Tally;
}

function table(title: string, rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  const line = (row: string[]) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join(" | ");
  return [title, ...rows.map(line)].join("\n");
}
