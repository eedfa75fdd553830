/** One figure of the report, always beside a yardstick of the same run. */
export interface Figure {
  /** Its name in `floor.json`; never changed without the floor. */
  key: string;
  /** Its name for people. */
  name: string;
  value: number;
  unit: Unit;
  beside: Yardstick;
  /** Target of the project. */
  aim?: Aim;
  /** Divisor for `--check`, if it is not the yardstick printed beside the figure. */
  scale?: Yardstick;
}

export type Unit = "ms" | "MB" | "/s";

/** Something plain that was measured in the same minute, in the unit of the figure. */
export interface Yardstick {
  name: string;
  value: number;
}

/** A limit on the figure itself, on its distance from the yardstick, or on its share of it. */
export type Aim =
  | { atMost: number }
  | { atLeast: number }
  | { atMostOver: number }
  | { atLeastOf: number };

/** Options for measuring a subject. */
export interface Scope {
  /** Smaller sizes, so that all subjects together take less than a minute. */
  short: boolean;
  /** A folder for this run alone. */
  folder: string;
}

/** A subject that could not be measured here, and why. */
export class LeftOut extends Error {}

/** Cost as a multiple of the yardstick: lower is better, in any unit. */
export function ratioOf({ value, unit, beside, scale = beside }: Figure): number {
  return unit === "/s" ? scale.value / value : value / scale.value;
}

/** Returns true if the figure meets its target; `undefined` if it has none. */
export function meetsAim({ value, beside, aim }: Figure): boolean | undefined {
  if (aim === undefined) return undefined;
  if ("atMost" in aim) return value <= aim.atMost;
  if ("atLeast" in aim) return value >= aim.atLeast;
  if ("atLeastOf" in aim) return value >= aim.atLeastOf * beside.value;
  return value - beside.value <= aim.atMostOver;
}
