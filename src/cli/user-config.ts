import { type Config, type ConfigSources, ignoredText, loadConfig } from "../config/index.js";
import { programName } from "../lib/program-name.js";
import type { CodexError } from "../protocol/error.js";
import type { CommandIo } from "./command.js";
import { assertKnownKeys, type ConfigValues, toOverrides } from "./options/config-options.js";

/** Loads the user's config with the overrides of the command line; prints its warnings to stderr. */
export async function loadUserConfig(
  values: ConfigValues,
  { env, cwd, stderr }: Pick<CommandIo, "env" | "cwd" | "stderr">,
): Promise<Config> {
  const config = await loadConfig({ env, cwd, flags: await toOverrides(values) });
  if (values["strict-config"]) await assertKnownKeys(config);
  const ignored = config.ignored.length === 0 ? [] : [ignoredText(config.ignored)];
  for (const warning of [...ignored, ...config.warnings])
    stderr.write(`${programName()}: ${warning}\n`);
  return config;
}

/**
 * Throws if the config has a restriction that is not understood or not enforced.
 *
 * With `mustLoad` it also throws if the config cannot be read. A server leaves that to its clients; the
 * terminal UI must not continue with defaults that may allow more.
 */
export async function requireEnforceable(
  sources: ConfigSources,
  { mustLoad = false }: { mustLoad?: boolean } = {},
): Promise<void> {
  const { loadConfig } = await import("../config/index.js");
  // Other problems of the config are reported when a session starts.
  const config = await loadConfig(sources).catch((error: unknown) => {
    if (mustLoad || isRestriction(error)) throw error;
    return undefined;
  });
  if (config === undefined || config.hooks.length === 0) return;
  const { loadHooks } = await import("../hooks/index.js");
  loadHooks(config.hooks, config.hook_states);
}

function isRestriction(error: unknown): boolean {
  const { reason } = ((error as CodexError).data ?? {}) as { reason?: unknown };
  return reason === "requirements" || reason === "permissions" || reason === "hooks";
}
