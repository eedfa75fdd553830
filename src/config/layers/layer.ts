import { copyValue, isTable, newTable, type Table, valueAt } from "../toml/table.js";

/** Source of a config layer, in the format of the app-server. */
export type LayerSource =
  | { type: "system"; file: string }
  | { type: "user"; file: string; profile?: string }
  | { type: "project"; dotCodexFolder: string }
  | { type: "sessionFlags" }
  | { type: "legacyManagedConfigTomlFromFile"; file: string };

/** Values of one source. */
export interface ConfigLayer {
  source: LayerSource;
  /** Values as in the source. */
  values: Table;
  /** True if the user trusts the project of the layer. */
  isTrusted?: true;
  /** Reason that the layer is disabled: the project is not trusted. Its file was not read. */
  disabledReason?: string;
}

/** Returns the file of a layer, if it has one. */
export function fileOf(source: LayerSource): string | undefined {
  if (source.type === "sessionFlags") return undefined;
  return source.type === "project" ? `${source.dotCodexFolder}/config.toml` : source.file;
}

/** Merges layers: later ones win key by key, and lists are replaced. */
export function mergeLayers(layers: readonly ConfigLayer[]): Table {
  return mergeTables(layers.filter(counts).map(({ values }) => values));
}

/** Merges tables into a new one that shares no data with them. */
export function mergeTables(tables: readonly Table[]): Table {
  const merged = newTable();
  for (const table of tables) mergeInto(merged, table);
  return merged;
}

/** Returns the layer of each value by its dotted path. */
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

/** Like `originsOf`, with list entries by index. */
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

/** Returns the paths of all values except tables; a list is one value. */
function leavesOf(table: Table, above: readonly string[] = []): string[][] {
  return Object.entries(table).flatMap(([key, value]) => {
    const path = [...above, key];
    return isTable(value) ? leavesOf(value, path) : [path];
  });
}

/** Returns a hash of the values, independent of key order, to detect concurrent changes. */
export async function versionOf(values: Table): Promise<string> {
  const { createHash } = await import("node:crypto");
  return `sha256:${createHash("sha256").update(canonical(values)).digest("hex")}`;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value === "bigint") return String(value);
  if (!isTable(value)) return JSON.stringify(value) ?? "null";
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
}
