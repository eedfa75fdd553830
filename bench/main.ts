import { protoFigures } from "./cases/proto.js";
import type { Figure } from "./measure.js";

const short = process.argv.includes("--short");

print(await protoFigures({ short }));

function print(figures: readonly Figure[]): void {
  const width = Math.max(...figures.map(({ name }) => name.length));
  for (const { name, value, unit, beside } of figures) {
    const shown = `${name.padEnd(width)}  ${round(value).padStart(10)} ${unit}`;
    const other = beside === undefined ? "" : `   (${beside.name}: ${round(beside.value)} ${unit})`;
    console.log(shown + other);
  }
}

function round(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString("en") : value.toFixed(2);
}
