import { CodexError } from "../../protocol/error.js";
import { parseKeyPath } from "../toml/key.js";
import {
  copyValue,
  isTable,
  loadParser,
  newTable,
  putAt,
  type Table,
  valueAt,
} from "../toml/table.js";
import { mergeTables } from "./layer.js";

/** An override of the command line. */
export interface Override {
  /** The names on the way to the setting. */
  path: string[];
  /** The value to use. */
  value: unknown;
}

/** Parses `key=value` with a dotted key; the value is TOML, or plain text if it does not parse. */
export async function parseOverride(text: string): Promise<Override> {
  const equals = text.indexOf("=");
  if (equals === -1) throw new CodexError("config", `Expected -c KEY=VALUE (got ${text})`);
  const key = text.slice(0, equals);
  if (key.trim() === "")
    throw new CodexError("config", `Expected -c KEY=VALUE (got ${text}): the key is empty`);
  const raw = text.slice(equals + 1).trim();
  return { path: parseKeyPath(key), value: (await parseTomlValue(raw)) ?? unquote(raw) };
}

/** Parses a TOML value; returns undefined if it is invalid. */
export async function parseTomlValue(raw: string): Promise<unknown> {
  const parse = await loadParser();
  try {
    const { value, ...more } = parse(`value = ${raw}`);
    return Object.keys(more).length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Merges overrides into a table; later ones win. */
export function overridesToTable(overrides: readonly Override[]): Table {
  const table = newTable();
  for (const { path, value } of overrides) putAt(table, path, copyValue(value));
  return table;
}

/** Merges values of a client by dotted key into a table; `null` values are omitted. */
export function namedToTable(named: Readonly<Record<string, unknown>>): Table {
  const table = newTable();
  for (const [name, value] of Object.entries(named)) {
    if (value === undefined || value === null) continue;
    const path = parseKeyPath(name);
    const old = valueAt(table, path);
    const given = withoutNulls(value);
    putAt(table, path, isTable(old) && isTable(given) ? mergeTables([old, given]) : given);
  }
  return table;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isTable(value)) return value;
  const table = newTable();
  for (const [key, entry] of Object.entries(value)) {
    if (entry !== undefined && entry !== null) table[key] = withoutNulls(entry);
  }
  return table;
}

/** Removes surrounding quotes of text that is not valid TOML. */
function unquote(raw: string): string {
  return raw.replace(/^["']+/, "").replace(/["']+$/, "");
}
