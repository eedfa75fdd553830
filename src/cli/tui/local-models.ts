import { loadConfig } from "../../config/index.js";
import { listModels } from "../../model/local-probe.js";
import type { LocalModels } from "../../tui/index.js";
import type { SessionIo } from "../options/session-request.js";

/** Time for a local server to list its models, in milliseconds. */
const limitMs = 3000;

/**
 * Returns the models of a provider that runs on this machine; undefined for every other provider.
 *
 * `overrides` are the settings of the command line and of the sign-in, which may have added the provider.
 */
export async function localModels(
  id: string,
  overrides: Readonly<Record<string, unknown>>,
  io: SessionIo,
): Promise<LocalModels | undefined> {
  const config = await loadConfig({ ...io, overrides });
  const url = config.providers.get(id)?.base_url;
  if (url === undefined || !isLoopback(url)) return undefined;
  const key = `model_providers.${id}`;
  const added = overrides[key];
  return {
    list: async () =>
      (await listModels(url.replace(/\/+$/, ""), AbortSignal.timeout(limitMs))) ?? [],
    settings: { model_provider: id, ...(added === undefined ? {} : { [key]: added }) },
  };
}

function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127\./.test(hostname);
}
