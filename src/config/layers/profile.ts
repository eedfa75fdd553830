import { existsSync } from "node:fs";
import { join } from "node:path";
import { CodexError } from "../../protocol/error.js";
import { isTable, type Table, valueAt } from "../toml/table.js";
import type { ConfigLayer } from "./layer.js";
import { readConfigFile } from "./read-file.js";

/** The settings of the profile in use. */
export interface Profile {
  name: string;
  layers: ProfileLayer[];
  /** Keys of its file that mean nothing here. */
  ignored: string[];
}

/** One of the two layers of a profile: its table, and stronger, its file. */
export interface ProfileLayer {
  layer: ConfigLayer;
  /** What stands before its paths in its file. */
  prefix: readonly string[];
}

/**
 * Reads the profile that is asked for; nothing when none is.
 *
 * `ownValues` are settings that no project has a say in: a project must not choose among the user's
 * profiles, one of which may allow everything.
 */
export async function readProfile(ownValues: Table, home: string): Promise<Profile | undefined> {
  const name = valueAt(ownValues, ["profile"]);
  if (typeof name !== "string") return undefined;
  const values = valueAt(ownValues, ["profiles", name]);
  const file = join(home, `${name}.config.toml`);
  const hasFile = plainName.test(name) && existsSync(file);
  if (!isTable(values) && !hasFile) throw notFound(name, ownValues);
  const profile: Profile = { name, layers: [], ignored: [] };
  if (isTable(values)) {
    const source = { type: "user", file: join(home, "config.toml"), profile: name } as const;
    profile.layers.push({ layer: { source, values }, prefix: ["profiles", name] });
  }
  if (hasFile) {
    const content = await readConfigFile(file);
    const source = { type: "user", file, profile: name } as const;
    profile.layers.push({ layer: { source, values: content.values }, prefix: [] });
    profile.ignored.push(...content.ignored);
  }
  return profile;
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
