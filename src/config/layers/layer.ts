import type { Table } from "../toml/table.js";

/** Where a layer of settings comes from, spelled as the app-server tells its clients. */
export type LayerSource =
  | { type: "system"; file: string }
  | { type: "user"; file: string; profile?: string }
  | { type: "project"; dotCodexFolder: string }
  | { type: "sessionFlags" }
  | { type: "legacyManagedConfigTomlFromFile"; file: string };

/** The settings of one source. */
export interface ConfigLayer {
  source: LayerSource;
  /** What the source says, unchanged. */
  values: Table;
  /** The user trusts the project that the layer is of. */
  isTrusted?: true;
  /** Why it does not count: a project that is not trusted. Its file has not been read. */
  disabledReason?: string;
}

/** The file of a layer, if it has one. */
export function fileOf(source: LayerSource): string | undefined {
  if (source.type === "sessionFlags") return undefined;
  return source.type === "project" ? `${source.dotCodexFolder}/config.toml` : source.file;
}
