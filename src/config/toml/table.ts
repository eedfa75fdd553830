import { CodexError } from "../../protocol/error.js";

/** A table as it was read; it has no prototype, so that no key of a file means more than itself. */
export type Table = Record<string, unknown>;

/** An empty table. */
export function newTable(): Table {
  return Object.create(null) as Table;
}

/** Whether a value is a table, as opposed to a list, a date or a plain value. */
export function isTable(value: unknown): value is Table {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
  );
}

/** The value under a path, or nothing. */
export function valueAt(table: Table, path: readonly string[]): unknown {
  let at: unknown = table;
  for (const key of path) {
    if (!isTable(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

/** Puts a value under a path; what is in the way and no table gives way. */
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

/** Takes away what is under a path. */
export function removeAt(table: Table, path: readonly string[]): void {
  const parent = valueAt(table, path.slice(0, -1));
  if (isTable(parent)) delete parent[path.at(-1) ?? ""];
}

/** A copy whose tables and lists are its own. */
export function copyValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyValue);
  return isTable(value) ? copyTable(value) : value;
}

/** A copy of a table that shares no table or list with it. */
export function copyTable(table: Table): Table {
  const copy = newTable();
  for (const [key, value] of Object.entries(table)) copy[key] = copyValue(value);
  return copy;
}

/** Reads TOML; `source` is the file as the user is to be told of it. */
export async function parseToml(text: string, source: string): Promise<Table> {
  const parse = await loadParser();
  try {
    return parse(text);
  } catch (error) {
    throw toConfigError(error, source);
  }
}

/** A function that reads TOML and throws the library's own error. */
export async function loadParser(): Promise<(text: string) => Table> {
  const { parse } = await import("smol-toml");
  return (text) => parse(text, { integersAsBigInt: "asNeeded" }) as Table;
}

function toConfigError(error: unknown, source: string): CodexError {
  const { line, column, message } = error as { line?: number; column?: number; message?: string };
  // The library's first line says what is wrong; then it shows the place, which we name.
  const reason = (message ?? String(error)).split("\n")[0]?.replace(/^Invalid TOML document: /, "");
  const place = line === undefined ? source : `${source}:${line}:${column}`;
  return new CodexError("config", `${place}: ${reason}`, {
    data: { reason: "parse", file: source, line, column, problem: reason },
    cause: error,
  });
}
