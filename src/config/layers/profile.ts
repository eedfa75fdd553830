import { existsSync } from "node:fs";
import { join } from "node:path";
import { CodexError } from "../../protocol/error.js";
import type { ConfigBehavior } from "../schema/behavior.js";
import { isTable, type Table, valueAt } from "../toml/table.js";
import type { ConfigLayer } from "./layer.js";
import { readConfigFile } from "./read-file.js";
import type { ReadLayers } from "./read-layers.js";

/** Values of the selected profile. */
export interface Profile {
  name: string;
  layers: ProfileLayer[];
  /** Keys of its file without effect. */
  ignored: string[];
}

/** A layer of a profile: its table, tables of projects, or its file, which takes precedence. */
export interface ProfileLayer {
  layer: ConfigLayer;
  /** Prefix of its paths in its file. */
  prefix: readonly string[];
}

/**
 * Reads the selected profile; undefined if none is selected.
 *
 * Projects are ignored unless `projectProfiles` is set: a project must not select a profile of the user,
 * which may allow everything.
 */
export async function readProfile(
  { ownValues, layers }: Pick<ReadLayers, "ownValues" | "layers">,
  home: string,
  { projectProfiles }: Pick<ConfigBehavior, "projectProfiles">,
): Promise<Profile | undefined> {
  const isProject = (layer: ConfigLayer) =>
    layer.source.type === "project" && layer.disabledReason === undefined;
  const projects = projectProfiles ? layers.filter(isProject) : [];
  const name = chosenName(layers, projects) ?? valueAt(ownValues, ["profile"]);
  if (typeof name !== "string") return undefined;
  const values = valueAt(ownValues, ["profiles", name]);
  const added = projects.filter((layer) => isTable(valueAt(layer.values, ["profiles", name])));
  const file = join(home, `${name}.config.toml`);
  const hasFile = plainName.test(name) && existsSync(file);
  if (!isTable(values) && added.length === 0 && !hasFile) throw notFound(name, ownValues);
  const profile: Profile = { name, layers: [], ignored: [] };
  if (isTable(values)) {
    const source = { type: "user", file: join(home, "config.toml"), profile: name } as const;
    profile.layers.push({ layer: { source, values }, prefix: ["profiles", name] });
  }
  for (const { source, values: whole } of added) {
    const table = valueAt(whole, ["profiles", name]) as Table;
    profile.layers.push({ layer: { source, values: table }, prefix: ["profiles", name] });
  }
  if (hasFile) {
    const content = await readConfigFile(file);
    const source = { type: "user", file, profile: name } as const;
    profile.layers.push({ layer: { source, values: content.values }, prefix: [] });
    profile.ignored.push(...content.ignored);
  }
  return profile;
}

/** Returns the profile that a project selects; options of this run override it. */
function chosenName(layers: readonly ConfigLayer[], projects: readonly ConfigLayer[]): unknown {
  const isGiven = layers.some(
    ({ source, values }) => source.type === "sessionFlags" && values.profile !== undefined,
  );
  if (isGiven) return undefined;
  return projects.findLast(({ values }) => typeof values.profile === "string")?.values.profile;
}

/** Returns true for names that cannot lead out of the home directory. */
const plainName = /^[A-Za-z0-9_-]+$/;

function notFound(name: string, ownValues: Table): CodexError {
  const profiles = valueAt(ownValues, ["profiles"]);
  const known = isTable(profiles) ? Object.keys(profiles) : [];
  const hint = known.length === 0 ? "" : `; there are ${known.join(", ")}`;
  return new CodexError("config", `config profile \`${name}\` not found${hint}`, {
    data: { reason: "profile", profile: name },
  });
}
