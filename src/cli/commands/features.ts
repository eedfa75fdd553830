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

/** The switches of the program. */
export const features = defineCommand({
  name: "features",
  summary: "List the features that can be turned on and off",
  verbs: [
    {
      name: "list",
      summary: "List the features and whether each is on",
      load: async () => featuresList,
    },
    {
      name: "enable",
      summary: "Turn a feature on in config.toml",
      load: async () => featuresEnable,
    },
    {
      name: "disable",
      summary: "Turn a feature off in config.toml",
      load: async () => featuresDisable,
    },
  ],
  options: {},
  async run(_input, io) {
    return featuresList.run({ values: {} as never, positionals: [] }, io);
  },
});

/** Which features there are, and which are on with the settings of the user. */
const featuresList = defineCommand({
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

/** Turns a feature on for good. */
const featuresEnable = defineCommand({
  name: "features enable",
  summary: "Turn a feature on in config.toml",
  operands: "FEATURE",
  mostOperands: 1,
  options: {},
  run: ({ positionals }, io) => turn(positionals[0], true, io),
});

/** Turns a feature off for good. */
const featuresDisable = defineCommand({
  name: "features disable",
  summary: "Turn a feature off in config.toml",
  operands: "FEATURE",
  mostOperands: 1,
  options: {},
  run: ({ positionals }, io) => turn(positionals[0], false, io),
});

async function turn(name: string | undefined, on: boolean, io: CommandIo): Promise<number> {
  if (name === undefined)
    throw new UsageError("Name a feature; `quire features list` has them all");
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
