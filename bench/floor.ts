import { readFile, writeFile } from "node:fs/promises";
import { type Figure, ratioOf } from "./figure.js";

/** Slowest allowed value of each figure, as a multiple of the yardsticks of the same run. */
interface Floor {
  /** Factor by which a figure may exceed its recorded value before the check fails. */
  margin: number;
  ratios: Record<string, number>;
}

/** The figures that are worse than the floor allows, in words. */
export async function findSlow(file: string, figures: readonly Figure[]): Promise<string[]> {
  const { margin, ratios } = JSON.parse(await readFile(file, "utf8")) as Floor;
  return figures.flatMap((figure) => {
    const known = ratios[figure.key];
    const ratio = ratioOf(figure);
    if (known === undefined) return [`${figure.key} is not in ${file}; add it by --write-floor`];
    if (ratio <= known * margin) return [];
    const { name } = figure.scale ?? figure.beside;
    const [is, was] = [ratio, known].map((number) => number.toFixed(3));
    return [
      `${figure.key} is ${is} × ${name}; it was ${was}, and ${margin} times that is too much`,
    ];
  });
}

/** Of two measurements of the same figures, returns the better one of each: a busy moment of the machine spoils only one. */
export function betterOf(first: readonly Figure[], second: readonly Figure[]): Figure[] {
  return first.map((figure) => {
    const again = second.find(({ key }) => key === figure.key);
    return again !== undefined && ratioOf(again) < ratioOf(figure) ? again : figure;
  });
}

/** Records the current figures in the floor; figures that were not measured keep their values. */
export async function writeFloor(file: string, figures: readonly Figure[]): Promise<void> {
  const floor = await readFloor(file);
  for (const figure of figures) {
    // A figure of next to nothing would make the floor so low that noise breaks through it.
    floor.ratios[figure.key] = Number(Math.max(ratioOf(figure), smallest).toPrecision(3));
  }
  await writeFile(file, `${JSON.stringify(floor, null, 2)}\n`);
}

const smallest = 0.02;

async function readFloor(file: string): Promise<Floor> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    return { margin: 3, ratios: {} };
  }
}
