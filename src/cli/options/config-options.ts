import type { Config, ConfigSources, Override } from "../../config/index.js";
import { nearest } from "../../lib/nearest.js";
import { CodexError } from "../../protocol/error.js";
import type { Options, Values } from "../command.js";
import { UsageError } from "../exit-codes.js";

/** Options that override config keys for one run. */
export const configOptions = {
  config: {
    type: "string",
    short: "c",
    multiple: true,
    value: "KEY=VALUE",
    group: "settings",
    help: "Override a config key; VALUE is TOML or plain text",
  },
  enable: {
    type: "string",
    multiple: true,
    value: "FEATURE",
    group: "settings",
    help: "Enable a feature (see `quire features list`)",
  },
  disable: {
    type: "string",
    multiple: true,
    value: "FEATURE",
    group: "settings",
    help: "Disable a feature",
  },
  "strict-config": {
    type: "boolean",
    group: "settings",
    help: "Fail if the config has unknown keys",
  },
} as const satisfies Options;

/** Values of {@link configOptions}. */
export type ConfigValues = Values<typeof configOptions>;

/** Returns the given overrides in their order; later ones win. */
export async function toOverrides(values: ConfigValues): Promise<Override[]> {
  const { config = [], enable = [], disable = [] } = values;
  if (config.length + enable.length + disable.length === 0) return [];
  const { parseOverride, findFeature, featureNames } = await import("../../config/index.js");
  const toggle = (value: boolean) => (name: string) => {
    const feature = findFeature(name);
    if (feature === undefined) throw new UsageError(unknownFeature(name, featureNames()));
    return { path: ["features", feature], value };
  };
  return [
    ...(await Promise.all(config.map((text) => parseOverride(text)))),
    ...enable.map(toggle(true)),
    ...disable.map(toggle(false)),
  ];
}

/** Formats the error for an unknown feature, with the nearest known one. */
export function unknownFeature(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  return `Unknown feature flag: ${name}.${hint} See \`quire features list\``;
}

/** Implements `--strict-config`: loads the config and throws if it has unknown keys. */
export async function requireKnownKeys(sources: ConfigSources): Promise<void> {
  const { loadConfig } = await import("../../config/index.js");
  await assertKnownKeys(await loadConfig(sources));
}

/** Throws if the config has keys that are unknown or have no effect. */
export async function assertKnownKeys({ ignored }: Config): Promise<void> {
  if (ignored.length === 0) return;
  const { ignoredText } = await import("../../config/index.js");
  throw new CodexError("config", `--strict-config: ${ignoredText(ignored)}`);
}
