import { type Aim, type Figure, meetsAim, type Unit } from "./figure.js";

/** The figures of a subject as a table. */
export function toTable(subject: string, figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    valueText(figure.value, figure.unit),
    `${figure.beside.name} ${valueText(figure.beside.value, figure.unit)}`,
    figure.aim === undefined ? "" : `${aimText(figure.aim)} ${meetsAim(figure) ? "✓" : "✗"}`,
  ]);
  const widths = [0, 1, 2].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map(([name = "", value = "", beside = "", aim = ""]) =>
    `  ${name.padEnd(widths[0] ?? 0)}  ${value.padStart(widths[1] ?? 0)}   beside ${beside.padEnd(
      widths[2] ?? 0,
    )}   ${aim}`.trimEnd(),
  );
  return `${subject}\n${lines.join("\n")}\n`;
}

function aimText(aim: Aim): string {
  if ("atMost" in aim) return `aim ≤ ${rounded(aim.atMost)}`;
  if ("atLeast" in aim) return `aim ≥ ${rounded(aim.atLeast)}`;
  if ("atLeastOf" in aim) return `aim ≥ ${rounded(aim.atLeastOf)} of it`;
  return `aim ≤ +${rounded(aim.atMostOver)}`;
}

/** Returns a value with its unit. */
export function valueText(value: number, unit: Unit): string {
  return unit === "/s" ? `${rounded(value)}/s` : `${rounded(value)} ${unit}`;
}

function rounded(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString("en");
  if (Number.isInteger(value)) return String(value);
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
}
