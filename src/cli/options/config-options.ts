import type { Override } from "../../config/index.js";
import { nearest } from "../../lib/nearest.js";
import type { Options, Values } from "../command.js";
import { UsageError } from "../exit-codes.js";

/** The options that set a key of the config for one run. */
export const configOptions = {
  config: {
    type: "string",
    short: "c",
    multiple: true,
    value: "KEY=VALUE",
    group: "settings",
    help: "Override a key of config.toml; the value is TOML, or else text",
  },
  enable: {
    type: "string",
    multiple: true,
    value: "FEATURE",
    group: "settings",
    help: "Enable a feature; `quire features list` lists them",
  },
  disable: {
    type: "string",
    multiple: true,
    value: "FEATURE",
    group: "settings",
    help: "Disable a feature",
  },
} as const satisfies Options;

/** The values of these options. */
export type ConfigValues = Values<typeof configOptions>;

/** The settings that were given, in their order; what is given later wins. */
export async function toOverrides(values: ConfigValues): Promise<Override[]> {
  const { config = [], enable = [], disable = [] } = values;
  if (config.length + enable.length + disable.length === 0) return [];
  const { parseOverride, findFeature, featureNames } = await import("../../config/index.js");
  const turn = (value: boolean) => (name: string) => {
    const feature = findFeature(name);
    if (feature === undefined) throw new UsageError(unknownFeature(name, featureNames()));
    return { path: ["features", feature], value };
  };
  return [
    ...(await Promise.all(config.map((text) => parseOverride(text)))),
    ...enable.map(turn(true)),
    ...disable.map(turn(false)),
  ];
}

/** Says that there is no such feature, and which one may be meant. */
export function unknownFeature(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  return `Unknown feature flag: ${name}.${hint} See \`quire features list\``;
}
