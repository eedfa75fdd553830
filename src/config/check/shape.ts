import { isTable } from "../toml/table.js";

/** Shape of a value, generated from the schemas for checks at run time. */
export interface Shape {
  readonly type?: "string" | "integer" | "number" | "boolean";
  readonly minimum?: number;
  readonly maximum?: number;
  /** The value must be greater. */
  readonly above?: number;
  readonly enum?: readonly string[];
  /** Shape of list entries. */
  readonly items?: Shape;
  /** Shape of each key of a table. */
  readonly keys?: Readonly<Record<string, Shape>>;
  /** The table may have other keys. */
  readonly open?: true;
  /** Shape of values of a table with arbitrary keys. */
  readonly entries?: Shape;
  readonly anyOf?: readonly Shape[];
  /** Values that the file of a trusted project may set: any, one of these, or a stricter one. */
  readonly project?: true | readonly unknown[] | StricterOnly;
  readonly path?: true;
  /** Any value is valid. */
  readonly any?: true;
  /** The key has no effect; `SettingFacts.ignored` documents when that is reported. */
  readonly ignored?: true | readonly unknown[];
  /** An unknown key below it is an error. */
  readonly strict?: true;
  /** The key that this is another name for. */
  readonly alias?: string;
}

/** Returns the shape at a path; undefined if the file cannot have such a key. */
export function shapeAt(shape: Shape | undefined, path: readonly string[]): Shape | undefined {
  let at = shape;
  for (const key of path) {
    const table = at?.anyOf?.find((member) => member.keys ?? member.entries) ?? at;
    at =
      table?.keys !== undefined && Object.hasOwn(table.keys, key)
        ? table.keys[key]
        : table?.entries;
  }
  return at;
}

/** Order of values for a key that a project may only set to a stricter value. */
export interface StricterOnly {
  /** Groups of values, strictest first; a table is named by its first key. */
  readonly strictestFirst: readonly (readonly string[])[];
  /** Value to compare with if the user has set none. */
  readonly unset: string;
}

/** Returns true if `value` is the user's value or stricter; values of a group are equal. */
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
