import { median } from "../measure.js";
import type { Row } from "./rounds.js";

/** Comparison of one side with another, round by round. */
export interface Ratio {
  /** The middle of the ratios of the rounds. */
  middle: number;
  lowest: number;
  highest: number;
}

/**
 * Ours divided by theirs, per round: a slow machine slows both.
 *
 * Memory that shrank has no ratio.
 */
export function ratioTo({ samples }: Row, ours: string, theirs: string): Ratio | undefined {
  const [our, their] = [samples.get(ours), samples.get(theirs)];
  if (our === undefined || their === undefined) return undefined;
  const ratios = our.flatMap((value, round) => {
    const other = their[round];
    return other === undefined || other <= 0 || value < 0 ? [] : [value / other];
  });
  if (ratios.length === 0) return undefined;
  return { middle: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) };
}

/** Returns true if a ratio meets its target; most have no target. */
export function meets({ better }: Row, ratio: Ratio, target: number): boolean {
  return better === "less" ? ratio.middle <= target : ratio.middle >= target;
}
