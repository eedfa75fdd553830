/** One figure of the report, always beside a yardstick of the same run. */
export interface Figure {
  /** Its name in `floor.json`; never changed without the floor. */
  key: string;
  /** Its name for people. */
  name: string;
  value: number;
  unit: Unit;
  beside: Yardstick;
  /** What the project wants it to be. */
  aim?: Aim;
  /** What `--check` divides by, when that is not what the figure is printed beside. */
  scale?: Yardstick;
}

export type Unit = "ms" | "MB" | "/s";

/** Something plain that was measured in the same minute, in the unit of the figure. */
export interface Yardstick {
  name: string;
  value: number;
}

/** A limit in the unit of the figure, on the figure itself or on what it has over its yardstick. */
export type Aim = { atMost: number } | { atLeast: number } | { atMostOver: number };

/** How a subject is measured. */
export interface Scope {
  /** Smaller sizes, so that all subjects together take less than a minute. */
  short: boolean;
  /** A folder for this run alone. */
  folder: string;
}

/** A subject that could not be measured here, and why. */
export class LeftOut extends Error {}

/** How many times the yardstick the figure costs: less is better, whatever its unit is. */
export function ratioOf({ value, unit, beside, scale = beside }: Figure): number {
  return unit === "/s" ? scale.value / value : value / scale.value;
}

/** Whether the figure is what the project wants; nothing when there is no aim. */
export function meetsAim({ value, beside, aim }: Figure): boolean | undefined {
  if (aim === undefined) return undefined;
  if ("atMost" in aim) return value <= aim.atMost;
  if ("atLeast" in aim) return value >= aim.atLeast;
  return value - beside.value <= aim.atMostOver;
}
