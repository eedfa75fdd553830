import { existsSync } from "node:fs";
import { join } from "node:path";
import { CodexError } from "../../protocol/error.js";
import { isTable, newTable, type Table, valueAt } from "../toml/table.js";
import { readConfigFile } from "./read-file.js";

/** The settings of the profile in use. */
export interface Profile {
  name: string;
  /** Its table, then its file; the file wins. */
  table: Table;
  file: string;
  fileValues: Table;
  warnings: string[];
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
  const table = valueAt(ownValues, ["profiles", name]);
  const file = join(home, `${name}.config.toml`);
  const hasFile = plainName.test(name) && existsSync(file);
  if (!isTable(table) && !hasFile) throw notFound(name, ownValues);
  const content = hasFile ? await readConfigFile(file) : { values: newTable(), warnings: [] };
  return {
    name,
    table: isTable(table) ? table : newTable(),
    file,
    fileValues: content.values,
    warnings: content.warnings,
  };
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
