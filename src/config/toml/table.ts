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
