import type { ConfigSources } from "../config/index.js";

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
