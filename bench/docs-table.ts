import { readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import type { Figure } from "./figure.js";
import { valueText } from "./report.js";

/**
 * Writes the figures of a subject into its table in a document, between `<!-- bench SUBJECT -->` and `<!-- /bench -->`.
 *
 * Throws if the document has no place for it.
 */
export async function writeTable(
  file: string,
  subject: string,
  figures: readonly Figure[],
): Promise<void> {
  const [begin, end] = [`<!-- bench ${subject} -->`, "<!-- /bench -->"];
  const text = await readFile(file, "utf8");
  const start = text.indexOf(begin);
  const stop = text.indexOf(end, start);
  if (start < 0 || stop < 0) {
    throw new Error(`${file} has no place for the table: ${begin} … ${end}`);
  }
  const rows = figures.map(({ name, value, unit, beside }) => {
    const other = `${valueText(beside.value, unit)} (${beside.name})`;
    return `| ${name} | ${valueText(value, unit)} | ${other} |`;
  });
  const about = `${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}.`;
  const table = ["| | figure | beside it |", "| --- | ---: | ---: |", ...rows].join("\n");
  await writeFile(
    file,
    `${text.slice(0, start)}${begin}\n\n${about}\n\n${table}\n\n${text.slice(stop)}`,
  );
}
