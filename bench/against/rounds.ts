import type { Contest } from "./contest.js";
import type { Side } from "./side.js";

/** Measurements of one figure, side by side. */
export interface Row {
  /** Its name for `--json` and for targets. */
  key: string;
  name: string;
  unit: "ms" | "MB" | "/s" | "MB/1000 turns";
  better: "less" | "more";
  /** One value a round, by the name of the side; a side that failed is absent. */
  samples: Map<string, number[]>;
}

/** The rows of a case, without their samples. */
export type RowHead = Omit<Row, "samples">;

/** Something that is compared, by rows of the table. */
export interface Comparison {
  /** Its rows, in order; some say in their names how much is done. */
  heads(short: boolean): readonly RowHead[];
  /** Measures all sides; gives no rows where it was not asked for. */
  measure(contest: Contest): Promise<Row[]>;
}

/** Measures one round of one side; gives a value for each row, in order. */
export type Measure = (side: Side) => Promise<readonly (number | undefined)[]>;

/**
 * Gives all sides a turn in every round, so that noise affects all alike.
 *
 * A side that fails is reported and skipped from then on.
 */
export async function rounds(
  contest: Contest,
  heads: readonly RowHead[],
  measure: Measure,
  count = contest.rounds,
): Promise<Row[]> {
  const rows = heads.map((head): Row => ({ ...head, samples: new Map() }));
  const failed = new Set<Side>();
  for (let round = 0; round < count; round++) {
    for (const side of inOrder(contest.sides, round)) {
      if (failed.has(side)) continue;
      try {
        const values = await measure(side);
        for (const [index, value] of values.entries()) addSample(rows[index], side.name, value);
      } catch (error) {
        failed.add(side);
        contest.note(`${side.name} has no ${heads[0]?.name}: ${(error as Error).message}`);
      }
    }
  }
  for (const side of failed) for (const row of rows) row.samples.delete(side.name);
  return rows;
}

/** Prepares each side in its first round and reuses the result in later rounds. */
export function oncePerSide<Prepared>(
  prepare: (side: Side) => Promise<Prepared>,
): (side: Side) => Promise<Prepared> {
  const prepared = new Map<Side, Promise<Prepared>>();
  return (side) => {
    const known = prepared.get(side) ?? prepare(side);
    prepared.set(side, known);
    return known;
  };
}

/** Rotates the side that starts a round, so that warm caches do not always favor the same one. */
function inOrder(sides: readonly Side[], round: number): Side[] {
  const first = round % sides.length;
  return [...sides.slice(first), ...sides.slice(0, first)];
}

function addSample(row: Row | undefined, side: string, value: number | undefined): void {
  if (row === undefined || value === undefined) return;
  const samples = row.samples.get(side) ?? [];
  samples.push(value);
  row.samples.set(side, samples);
}
