import { join } from "node:path";
import type { TrustLevel } from "../project/trust.js";
import { type EditResult, editConfig } from "./edit-config.js";

/** Remembers what the user thinks of a project, in a table of its own in their file. */
export function setTrust(home: string, path: string, level: TrustLevel): Promise<EditResult> {
  return editConfig(join(home, "config.toml"), [
    { path: ["projects", path, "trust_level"], value: level },
  ]);
}
