import { featureFacts, featureNames, isFeatureOn } from "../../config/index.js";
import { defineCommand } from "../command.js";
import { exitCodes } from "../exit-codes.js";
import { configOptions } from "../options/config-options.js";
import { columnLines } from "../print/columns.js";
import { loadUserConfig } from "../user-config.js";

/** Which features there are, and which are on with the settings of the user. */
export const featuresList = defineCommand({
  name: "features list",
  summary: "List the features and whether each is on",
  details:
    "A feature that is `removed` is one of other versions of Codex: it is off, and its switch has no " +
    "effect here.",
  options: { json: { type: "boolean", help: "Write them as JSON" }, ...configOptions },
  async run({ values }, io) {
    const { features } = await loadUserConfig(values, io);
    const states = featureNames()
      .sort()
      .map((name) => ({ name, stage: stageOf(name), enabled: isFeatureOn(name, features) }));
    const lines = columnLines(
      states.map(({ name, stage, enabled }) => [name, stage, String(enabled)]),
    );
    io.stdout.write(values.json ? `${JSON.stringify(states, null, 2)}\n` : `${lines.join("\n")}\n`);
    return exitCodes.ok;
  },
});

function stageOf(name: string): "stable" | "removed" {
  const { hasEffect, defaultEnabled } = featureFacts(name);
  return hasEffect || defaultEnabled ? "stable" : "removed";
}
