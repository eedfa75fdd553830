import { isTable } from "../toml/table.js";

/** A key that a project may set only to a value stricter than the user's. */
export interface StricterOnly {
  /** The values in groups, the strictest first; a table goes by the name of its first key. */
  readonly strictestFirst: readonly (readonly string[])[];
  /** The value a project is compared with when the user has set none. */
  readonly unset: string;
}

/** Returns whether `value` is the user's value or stricter. Within a group none is stricter. */
export function isStricter(value: unknown, own: unknown, rule: StricterOnly): boolean {
  const base = own ?? rule.unset;
  if (JSON.stringify(value) === JSON.stringify(base)) return true;
  const [rank, baseRank] = [rankOf(value, rule), rankOf(base, rule)];
  return rank !== -1 && (rank < baseRank || baseRank === -1);
}

function rankOf(value: unknown, { strictestFirst }: StricterOnly): number {
  const name = isTable(value) ? Object.keys(value)[0] : value;
  return strictestFirst.findIndex((group) => group.some((one) => one === name));
}
