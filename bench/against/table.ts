import { median } from "../measure.js";
import { meets, type Ratio, ratioTo } from "./ratio.js";
import type { Row } from "./rounds.js";
import type { Side } from "./side.js";
import { targetOf } from "./targets.js";

/** A table by its cells; the first cell of each line is its name. */
export interface Table {
  head: string[];
  lines: string[][];
}

/** Placeholder for a figure that was not measured. */
export const nothing = "–";

/** The rows as a table: medians, and for the others how ours compares with them. */
export function toTable(rows: readonly Row[], sides: readonly Side[]): Table {
  const ours = sides.find(({ kind }) => kind === "ours");
  const others = sides.filter((side) => side !== ours);
  const head = ["figure", ...(ours ? [ours.name] : []), ...others.map(({ name }) => name)];
  const lines = rows.map((row) => [
    row.name,
    ...(ours ? [measured(row, ours)] : []),
    ...others.map((other) => compared(row, ours, other)),
  ]);
  return { head, lines };
}

/** A table in Markdown. */
export function toMarkdown({ head, lines }: Table): string {
  return [head, head.map(() => "---"), ...lines]
    .map((line) => `| ${line.join(" | ")} |`)
    .join("\n");
}

function measured({ samples, unit }: Row, { name }: Side): string {
  const values = samples.get(name);
  return values === undefined ? nothing : inUnit(median(values), unit);
}

function compared(row: Row, ours: Side | undefined, other: Side): string {
  const value = measured(row, other);
  const ratio = ours === undefined ? undefined : ratioTo(row, ours.name, other.name);
  if (ratio === undefined) return value;
  return `${value}; **×${brief(ratio.middle)}**${spread(ratio)}${wanted(row, ratio, other)}`;
}

function spread({ lowest, highest }: Ratio): string {
  return lowest === highest ? "" : ` (${brief(lowest)}–${brief(highest)})`;
}

function wanted(row: Row, ratio: Ratio, { name }: Side): string {
  const target = targetOf(row.key, name);
  if (target === undefined) return "";
  const bound = row.better === "less" ? "≤" : "≥";
  return `, aim ${bound} ${target} ${meets(row, ratio, target) ? "✓" : "✗"}`;
}

function inUnit(value: number, unit: Row["unit"]): string {
  return unit === "/s" ? `${brief(value)}/s` : `${brief(value)} ${unit}`;
}

function brief(value: number): string {
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString("en");
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}
