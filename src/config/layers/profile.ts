import { existsSync } from "node:fs";
import { join } from "node:path";
import { CodexError } from "../../protocol/error.js";
import type { ConfigBehavior } from "../schema/behavior.js";
import { isTable, type Table, valueAt } from "../toml/table.js";
import type { ConfigLayer } from "./layer.js";
import { readConfigFile } from "./read-file.js";
import type { ReadLayers } from "./read-layers.js";

/** The settings of the profile in use. */
export interface Profile {
  name: string;
  layers: ProfileLayer[];
  /** Keys of its file that mean nothing here. */
  ignored: string[];
}

/** One layer of a profile: its table, those of projects, and strongest, its file. */
export interface ProfileLayer {
  layer: ConfigLayer;
  /** What stands before its paths in its file. */
  prefix: readonly string[];
}

/**
 * Reads the profile that is asked for; nothing when none is.
 *
 * A project has no say in it unless `projectProfiles` is set: it must not choose among the user's
 * profiles, one of which may allow everything.
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

/** The name that a project chooses; what was given for this run wins over it. */
function chosenName(layers: readonly ConfigLayer[], projects: readonly ConfigLayer[]): unknown {
  const isGiven = layers.some(
    ({ source, values }) => source.type === "sessionFlags" && values.profile !== undefined,
  );
  if (isGiven) return undefined;
  return projects.findLast(({ values }) => typeof values.profile === "string")?.values.profile;
}

/** Other names could lead out of the home folder. */
const plainName = /^[A-Za-z0-9_-]+$/;

function notFound(name: string, ownValues: Table): CodexError {
  const profiles = valueAt(ownValues, ["profiles"]);
  const known = isTable(profiles) ? Object.keys(profiles) : [];
  const hint = known.length === 0 ? "" : `; there are ${known.join(", ")}`;
  return new CodexError("config", `config profile \`${name}\` not found${hint}`, {
    data: { reason: "profile", profile: name },
  });
}
