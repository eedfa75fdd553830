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

/** A setting given on the command line. */
export interface Override {
  path: string[];
  value: unknown;
}

/** Reads `key=value`: dots make paths; the value is TOML, or else text. */
export async function parseOverride(text: string): Promise<Override> {
  const equals = text.indexOf("=");
  if (equals === -1) throw new CodexError("config", `-c ${text}: write it as key=value`);
  const key = text.slice(0, equals);
  if (key.trim() === "") throw new CodexError("config", `-c ${text}: there is no key before the =`);
  const raw = text.slice(equals + 1).trim();
  return { path: parseKeyPath(key), value: (await parseTomlValue(raw)) ?? unquote(raw) };
}

/** Reads one value as TOML; nothing when it is none. */
export async function parseTomlValue(raw: string): Promise<unknown> {
  const parse = await loadParser();
  try {
    const { value, ...more } = parse(`value = ${raw}`);
    return Object.keys(more).length === 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Puts settings given on the command line together; what is given later wins. */
export function overridesToTable(overrides: readonly Override[]): Table {
  const table = newTable();
  for (const { path, value } of overrides) putAt(table, path, copyValue(value));
  return table;
}

/**
 * Puts settings that a client gave by name together.
 *
 * Names may be paths with dots. `null` says nothing, as JSON has it for what is left out.
 */
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

/** Quotes that do not make valid TOML, as a shell may have left them. */
function unquote(raw: string): string {
  return raw.replace(/^["']+/, "").replace(/["']+$/, "");
}
