import type { Config } from "../config/index.js";
import type { LocalTelemetry } from "../engine/index.js";
import type { StartedTelemetry } from "../telemetry/index.js";

/**
 * Starts the telemetry of a process of a fleet; undefined, and nothing is loaded, if it exports nothing.
 *
 * Sessions of the process with the same settings share it. Throws if `[otel]` has a mistake.
 */
export async function startTelemetry(
  local: LocalTelemetry,
  config: Config,
  warn: (message: string) => void,
): Promise<StartedTelemetry | undefined> {
  if (!local.mayExport(config)) return undefined;
  return (await local.observers()).start(config, warn);
}
