import { nothing, type Table, toMarkdown } from "./table.js";

/** Results, the machine and the number of rounds: one text per kind of run. */
export interface Measured {
  runs: string[];
  table: Table;
}

const [begin, end] = ["<!-- measured: begin -->", "<!-- measured: end -->"];

/**
 * Writes the results of a run between the marks of a document; rows and sides that were not measured again
 * keep their values.
 *
 * The rows follow the order of `names`; a row without a name there is dropped. Throws if the marks are
 * missing.
 */
export function putMeasured(document: string, now: Measured, names: readonly string[]): string {
  const [before, rest] = document.split(begin);
  const [old, after] = rest?.split(end) ?? [];
  if (old === undefined || after === undefined)
    throw new Error(`There is no place for the table, ${begin} … ${end}`);
  const { runs, table } = merge(parseMeasured(old), now, names);
  const about = runs.length > 1 ? `${severalRuns}${runs.join("; ")}` : runs.join();
  return `${before}${begin}\n\n${about}.\n\n${toMarkdown(table)}\n\n${end}${after}`;
}

const severalRuns = "Rows of several runs: ";

function merge(old: Measured, now: Measured, names: readonly string[]): Measured {
  const head = [...new Set([...old.table.head, ...now.table.head])];
  let kept = false;
  const cell = (name: string, column: string): string => {
    const fresh = cellOf(now.table, name, column);
    if (fresh !== nothing) return fresh;
    const stale = cellOf(old.table, name, column);
    kept ||= stale !== nothing;
    return stale;
  };
  const known = new Set([...old.table.lines, ...now.table.lines].map(([name]) => name));
  const lines = names
    .filter((name) => known.has(name))
    .map((name) => [name, ...head.slice(1).map((column) => cell(name, column))]);
  const runs = kept ? [...new Set([...now.runs, ...old.runs])] : now.runs;
  return { runs, table: { head, lines } };
}

function cellOf({ head, lines }: Table, name: string, column: string): string {
  const line = lines.find(([first]) => first === name);
  return line?.[head.indexOf(column)] ?? nothing;
}

function parseMeasured(text: string): Measured {
  const lines = text.split("\n").filter((line) => line !== "");
  const [head = [], , ...rows] = lines.filter((line) => line.startsWith("|")).map(cellsIn);
  const about = lines.find((line) => !line.startsWith("|")) ?? "";
  const runs = about.replace(severalRuns, "").replace(/\.$/, "").split("; ");
  return { runs: runs.filter((run) => run !== ""), table: { head, lines: rows } };
}

function cellsIn(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}
