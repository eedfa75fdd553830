import { resolveSettings, type SettingsSources } from "./settings.js";
import { noTelemetry, type Telemetry } from "./telemetry.js";

/**
 * Starts the telemetry of a process that runs no sessions, such as a gateway.
 *
 * Without a collector nothing is loaded, and the result measures nothing. Throws if `[otel]` has a
 * mistake. The caller closes it.
 */
export async function openTelemetry(sources: SettingsSources): Promise<Telemetry> {
  const settings = resolveSettings(sources);
  if (settings === undefined) return noTelemetry;
  const { startTelemetry } = await import("./sdk.js");
  return startTelemetry(settings);
}
