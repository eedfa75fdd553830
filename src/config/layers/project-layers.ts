import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { realPath } from "../../lib/real-path.js";
import type { TrustDecision, TrustedPlaces } from "../project/trust.js";
import { mayBring } from "../project/trust-gate.js";
import { newTable } from "../toml/table.js";
import type { ConfigLayer } from "./layer.js";
import { readConfigFile } from "./read-file.js";

/**
 * Reads the files of the project around the working folder, its top first.
 *
 * The file of a project that is not trusted is not opened; the layer says why it does not count.
 */
export async function readProjectLayers(
  places: TrustedPlaces,
  home: string,
): Promise<{ layers: ConfigLayer[]; warnings: string[]; ignored: string[] }> {
  const layers: ConfigLayer[] = [];
  const warnings: string[] = [];
  const ignored: string[] = [];
  for (const folder of places.folders) {
    const dotCodexFolder = join(folder, ".codex");
    if (!isFolder(dotCodexFolder) || realPath(dotCodexFolder) === realPath(home)) continue;
    const source = { type: "project", dotCodexFolder } as const;
    const file = join(dotCodexFolder, "config.toml");
    const trust = places.trustOf(folder);
    if (mayBring("settings", trust.level) || !existsSync(file)) {
      const content = await readConfigFile(file);
      const trusted = trust.level === "trusted" ? { isTrusted: true as const } : {};
      layers.push({ source, values: content.values, ...trusted });
      ignored.push(...content.ignored);
    } else {
      const disabledReason = whyDisabled(trust, join(home, "config.toml"));
      layers.push({ source, values: newTable(), disabledReason });
      if (trust.level === undefined) warnings.push(disabledReason);
    }
  }
  return { layers, warnings, ignored };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function whyDisabled({ level, path }: TrustDecision, userFile: string): string {
  return level === "untrusted"
    ? `${userFile} says that ${path} is not to be trusted, so its settings are not read.`
    : `${path} is not a trusted project, so its settings are not read; set its trust_level in ${userFile}.`;
}
