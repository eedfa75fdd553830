import { type Config, ignoredText, loadConfig } from "../config/index.js";
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
