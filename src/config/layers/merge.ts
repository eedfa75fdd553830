import { copyValue, isTable, newTable, type Table, valueAt } from "../toml/table.js";
import type { ConfigLayer } from "./layer.js";

/** All layers as one table: later ones win key by key, and lists are replaced. */
export function mergeLayers(layers: readonly ConfigLayer[]): Table {
  return mergeTables(layers.filter(counts).map(({ values }) => values));
}

/** All tables as one that shares nothing with them. */
export function mergeTables(tables: readonly Table[]): Table {
  const merged = newTable();
  for (const table of tables) mergeInto(merged, table);
  return merged;
}

/** For each value, by its path with dots between the keys, the layer that it comes from. */
export function originsOf(layers: readonly ConfigLayer[]): Map<string, ConfigLayer> {
  const origins = new Map<string, ConfigLayer>();
  for (const layer of layers.filter(counts)) {
    for (const path of leavesOf(layer.values)) {
      const key = path.join(".");
      const inner = `${key}.`;
      for (const known of origins.keys()) {
        if (known.startsWith(inner) || key.startsWith(`${known}.`)) origins.delete(known);
      }
      origins.set(key, layer);
    }
  }
  return origins;
}

/** Like `originsOf`, with each entry of a list by its number. */
export function itemOriginsOf(layers: readonly ConfigLayer[]): Map<string, ConfigLayer> {
  const items = new Map<string, ConfigLayer>();
  for (const [key, layer] of originsOf(layers)) {
    const path = leavesOf(layer.values).find((one) => one.join(".") === key) ?? [];
    for (const item of itemsOf(valueAt(layer.values, path), key)) items.set(item, layer);
  }
  return items;
}

function itemsOf(value: unknown, key: string): string[] {
  const entries = Array.isArray(value) || isTable(value) ? Object.entries(value) : undefined;
  if (entries === undefined) return [key];
  return entries.flatMap(([name, entry]) => itemsOf(entry, `${key}.${name}`));
}

function counts(layer: ConfigLayer): boolean {
  return layer.disabledReason === undefined;
}

function mergeInto(target: Table, source: Table): void {
  for (const [key, value] of Object.entries(source)) {
    const old = Object.hasOwn(target, key) ? target[key] : undefined;
    if (isTable(old) && isTable(value)) mergeInto(old, value);
    else target[key] = copyValue(value);
  }
}

/** The paths of all values that are no tables; a list is one value. */
function leavesOf(table: Table, above: readonly string[] = []): string[][] {
  return Object.entries(table).flatMap(([key, value]) => {
    const path = [...above, key];
    return isTable(value) ? leavesOf(value, path) : [path];
  });
}
