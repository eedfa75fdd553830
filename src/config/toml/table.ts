import { CodexError } from "../../protocol/error.js";

/** A TOML table without prototype, so that no key of a file has a special meaning. */
export type Table = Record<string, unknown>;

/** Creates an empty table. */
export function newTable(): Table {
  return Object.create(null) as Table;
}

/** Returns true for a table, false for a list, a date or a scalar. */
export function isTable(value: unknown): value is Table {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
  );
}

/** Returns the value at a path, if any. */
export function valueAt(table: Table, path: readonly string[]): unknown {
  let at: unknown = table;
  for (const key of path) {
    if (!isTable(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

/** Sets the value at a path; replaces parents that are not tables. */
export function putAt(table: Table, path: readonly string[], value: unknown): void {
  const last = path.at(-1);
  if (last === undefined) return;
  let at = table;
  for (const key of path.slice(0, -1)) {
    const next = Object.hasOwn(at, key) ? at[key] : undefined;
    const inner = isTable(next) ? next : newTable();
    if (inner !== next) at[key] = inner;
    at = inner;
  }
  at[last] = value;
}

/** Removes the value at a path. */
export function removeAt(table: Table, path: readonly string[]): void {
  const parent = valueAt(table, path.slice(0, -1));
  if (isTable(parent)) delete parent[path.at(-1) ?? ""];
}

/** Copies a value deeply. */
export function copyValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyValue);
  return isTable(value) ? copyTable(value) : value;
}

/** Copies a table deeply. */
export function copyTable(table: Table): Table {
  const copy = newTable();
  for (const [key, value] of Object.entries(table)) copy[key] = copyValue(value);
  return copy;
}

/** Parses TOML; `source` is the file name for errors. */
export async function parseToml(text: string, source: string): Promise<Table> {
  const parse = await loadParser();
  try {
    return parse(text);
  } catch (error) {
    throw toConfigError(error, source);
  }
}

/** Loads the TOML parser, which throws errors of the library. */
export async function loadParser(): Promise<(text: string) => Table> {
  const { parse } = await import("smol-toml");
  return (text) => parse(text, { integersAsBigInt: "asNeeded" }) as Table;
}

function toConfigError(error: unknown, source: string): CodexError {
  const { line, column, message } = error as { line?: number; column?: number; message?: string };
  // The first line of the library's message is the reason; an excerpt follows, which is not used.
  const reason = (message ?? String(error)).split("\n")[0]?.replace(/^Invalid TOML document: /, "");
  const place = line === undefined ? source : `${source}:${line}:${column}`;
  return new CodexError("config", `${place}: ${reason}`, {
    data: { reason: "parse", file: source, line, column, problem: reason },
    cause: error,
  });
}
