import { type Config, type ConfigSources, ignoredText, loadConfig } from "../config/index.js";
import { programName } from "../lib/program-name.js";
import type { CommandIo } from "./command.js";
import { type ConfigValues, toOverrides } from "./options/config-options.js";

/** The settings of the user with those of the command line; what is odd in them goes to stderr. */
export async function loadUserConfig(
  values: ConfigValues,
  { env, cwd, stderr }: Pick<CommandIo, "env" | "cwd" | "stderr">,
): Promise<Config> {
  const config = await loadConfig({ env, cwd, flags: await toOverrides(values) });
  const ignored = config.ignored.length === 0 ? [] : [ignoredText(config.ignored)];
  for (const warning of [...ignored, ...config.warnings])
    stderr.write(`${programName()}: ${warning}\n`);
  return config;
}

/**
 * Refuses to start while a setting that forbids something is not enforced; throws which.
 *
 * With `mustLoad` it also throws if the settings cannot be read. A server leaves that to its clients;
 * the terminal UI must not continue with defaults that may allow more.
 */
export async function requireEnforceable(
  sources: ConfigSources,
  { mustLoad = false }: { mustLoad?: boolean } = {},
): Promise<void> {
  const { assertEnforceable, loadConfig } = await import("../config/index.js");
  // What else is wrong with the settings is told by the session that cannot begin.
  const config = await loadConfig(sources).catch((error: unknown) => {
    if (mustLoad) throw error;
    return undefined;
  });
  if (config !== undefined) assertEnforceable(config);
}
