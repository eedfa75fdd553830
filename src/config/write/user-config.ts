import { join } from "node:path";
import { forgetServers } from "../project/known-servers.js";
import { isTable } from "../toml/table.js";
import { type ConfigEdit, type EditOptions, type EditResult, editConfig } from "./edit-config.js";

/**
 * Changes settings in the user's own file, as `editConfig` does.
 *
 * Where an edit says what the user thinks of a project, the servers that the project names now are
 * those that the user has seen.
 */
export async function editUserConfig(
  home: string,
  edits: readonly ConfigEdit[],
  options: EditOptions = {},
): Promise<EditResult> {
  const result = await editConfig(join(home, "config.toml"), edits, options);
  for (const path of new Set(edits.flatMap(judgedProjects))) await forgetServers(home, path);
  return result;
}

/** The projects whose trust an edit speaks of. */
function judgedProjects({ path: [table, project, key], value }: ConfigEdit): string[] {
  if (table !== "projects") return [];
  if (project === undefined) return isTable(value) ? Object.keys(value) : [];
  return key === undefined || key === "trust_level" ? [project] : [];
}
