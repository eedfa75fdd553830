import { isTable } from "../toml/table.js";

/** What a value in the file looks like; generated from the schemas, for the checks at run time. */
export interface Shape {
  readonly type?: "string" | "integer" | "number" | "boolean";
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  /** The shape of each entry, for lists. */
  readonly items?: Shape;
  /** The shape of each key, for tables. */
  readonly keys?: Readonly<Record<string, Shape>>;
  /** The table may have other keys too. */
  readonly open?: true;
  /** The shape of each value, for tables whose keys the user chooses. */
  readonly entries?: Shape;
  readonly anyOf?: readonly Shape[];
  /** Values that the file of a trusted project may set: any, one of these, or a stricter one. */
  readonly project?: true | readonly unknown[] | StricterOnly;
  readonly path?: true;
  /** Any value is right. */
  readonly any?: true;
  /** The key has no effect here; see `SettingFacts.ignored` for when that is reported. */
  readonly ignored?: true | readonly unknown[];
  /** The key that this is another name for. */
  readonly alias?: string;
}

/** The shape of what stands under a key, when the file can have such a key there. */
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
