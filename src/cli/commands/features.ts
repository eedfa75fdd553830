import { join } from "node:path";
import {
  codexHome,
  editConfig,
  featureFacts,
  featureNames,
  findFeature,
  isFeatureOn,
} from "../../config/index.js";
import { type CommandIo, defineCommand } from "../command.js";
import { exitCodes, UsageError } from "../exit-codes.js";
import { configOptions, unknownFeature } from "../options/config-options.js";
import { columnLines } from "../print.js";
import { loadUserConfig } from "../user-config.js";

/** Lists, enables and disables features. */
export const features = defineCommand({
  name: "features",
  summary: "List, enable and disable features",
  verbs: [
    {
      name: "list",
      summary: "List features and their state",
      load: async () => featuresList,
    },
    {
      name: "enable",
      summary: "Enable a feature in config.toml",
      load: async () => featuresEnable,
    },
    {
      name: "disable",
      summary: "Disable a feature in config.toml",
      load: async () => featuresDisable,
    },
  ],
  options: {},
  async run(_input, io) {
    return featuresList.run({ values: {} as never, positionals: [] }, io);
  },
});

/** Lists the features and their state with the user's config. */
const featuresList = defineCommand({
  name: "features list",
  summary: "List features and their state",
  details:
    "A `removed` feature exists in other versions of Codex only: it is off and its switch has no effect.",
  options: { json: { type: "boolean", help: "Print the features as JSON" }, ...configOptions },
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

/** Enables a feature in config.toml. */
const featuresEnable = defineCommand({
  name: "features enable",
  summary: "Enable a feature in config.toml",
  operands: "FEATURE",
  mostOperands: 1,
  options: {},
  run: ({ positionals }, io) => setFeature(positionals[0], true, io),
});

/** Disables a feature in config.toml. */
const featuresDisable = defineCommand({
  name: "features disable",
  summary: "Disable a feature in config.toml",
  operands: "FEATURE",
  mostOperands: 1,
  options: {},
  run: ({ positionals }, io) => setFeature(positionals[0], false, io),
});

async function setFeature(name: string | undefined, on: boolean, io: CommandIo): Promise<number> {
  if (name === undefined)
    throw new UsageError("Missing feature name; `quire features list` lists the features");
  const feature = findFeature(name);
  if (feature === undefined) throw new UsageError(unknownFeature(name, featureNames()));
  const file = join(codexHome(io.env), "config.toml");
  await editConfig(file, [{ path: ["features", feature], value: on }]);
  const { hasEffect, defaultEnabled } = featureFacts(feature);
  if (!hasEffect && on !== defaultEnabled) {
    const state = defaultEnabled ? "is always on" : "is not available";
    io.stderr.write(`Feature \`${feature}\` ${state} here: the setting has no effect.\n`);
  }
  io.stdout.write(`${on ? "Enabled" : "Disabled"} feature \`${feature}\` in config.toml.\n`);
  return exitCodes.ok;
}
