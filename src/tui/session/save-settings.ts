import type { AppServerClient } from "../../client/index.js";

/** Writes settings, by dotted name, to the user's config.toml. */
export async function saveSettings(
  server: AppServerClient,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const edits = Object.entries(settings).map(([keyPath, value]) => ({
    keyPath,
    value,
    mergeStrategy: "replace" as const,
  }));
  await server.request("config/batchWrite", { edits });
}
