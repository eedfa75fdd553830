import type { ConfigSources } from "../config/index.js";

/** Refuses to start while a setting that forbids something is not enforced; throws which. */
export async function requireEnforceable(sources: ConfigSources): Promise<void> {
  const { assertEnforceable, loadConfig } = await import("../config/index.js");
  // What else is wrong with the settings is told by the session that cannot begin.
  const config = await loadConfig(sources).catch(() => undefined);
  if (config !== undefined) assertEnforceable(config);
}
