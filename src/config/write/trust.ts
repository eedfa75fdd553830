import { join } from "node:path";
import { forgetServers } from "../project/known-servers.js";
import type { TrustLevel } from "../project/trust.js";
import { type EditResult, editConfig } from "./edit-config.js";

/**
 * Remembers what the user thinks of a project, in a table of its own in their file. The servers that
 * the project names now are then those that the user trusts.
 */
export async function setTrust(home: string, path: string, level: TrustLevel): Promise<EditResult> {
  await forgetServers(home, path);
  return editConfig(join(home, "config.toml"), [
    { path: ["projects", path, "trust_level"], value: level },
  ]);
}
