import { join } from "node:path";
import {
  codexHome,
  editConfig,
  featureFacts,
  featureNames,
  findFeature,
} from "../../config/index.js";
import { type CommandIo, defineCommand } from "../command.js";
import { exitCodes } from "../exit-codes.js";
import { unknownFeature } from "../options/config-options.js";
import { UsageError } from "../usage-error.js";

/** Turns a feature on for good. */
export const featuresEnable = defineCommand({
  name: "features enable",
  summary: "Turn a feature on in config.toml",
  operands: "FEATURE",
  mostOperands: 1,
  options: {},
  run: ({ positionals }, io) => turn(positionals[0], true, io),
});

/** Turns a feature off for good. */
export const featuresDisable = defineCommand({
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
