import { isAbsolute, join, resolve } from "node:path";
import type { Shape } from "../check/shape.js";
import { parseKeyPath } from "../toml/key.js";
import { copyTable, isTable, putAt, type Table, valueAt } from "../toml/table.js";

/** Base of the paths of a layer. */
export interface PathBase {
  folder: string;
  /** Directory that `~` expands to. */
  userHome: string;
}

/** Prepares the values of a layer for merging: makes paths absolute and replaces older key names. */
export function prepareValues(values: Table, shape: Shape, base: PathBase): Table {
  const copy = copyTable(values);
  resolvePaths(copy, shape, base);
  for (const { alias, value } of takeAliases(copy, shape)) {
    // Within one file the newer name wins.
    if (valueAt(copy, alias) === undefined) putAt(copy, alias, value);
  }
  return copy;
}

function resolvePaths(value: unknown, shape: Shape | undefined, base: PathBase): void {
  if (Array.isArray(value)) {
    for (const entry of value) resolvePaths(entry, shape?.items, base);
  }
  if (!isTable(value)) return;
  for (const [key, entry] of Object.entries(value)) {
    const inner = innerShape(shape, key);
    if (inner?.path !== true) resolvePaths(entry, inner, base);
    else if (Array.isArray(entry)) value[key] = entry.map((path) => toAbsolute(String(path), base));
    else value[key] = toAbsolute(String(entry), base);
  }
}

function toAbsolute(path: string, { folder, userHome }: PathBase): string {
  if (path === "~" || path.startsWith("~/")) return join(userHome, path.slice(1));
  return isAbsolute(path) ? path : resolve(folder, path);
}

function takeAliases(
  table: Table,
  shape: Shape | undefined,
): { alias: string[]; value: unknown }[] {
  return Object.entries(table).flatMap(([key, value]) => {
    const inner = innerShape(shape, key);
    if (inner?.alias !== undefined) {
      delete table[key];
      return [{ alias: parseKeyPath(inner.alias), value }];
    }
    return isTable(value) ? takeAliases(value, inner) : [];
  });
}

function innerShape(shape: Shape | undefined, key: string): Shape | undefined {
  const known = shape?.keys !== undefined && Object.hasOwn(shape.keys, key);
  return known ? shape?.keys?.[key] : shape?.entries;
}
