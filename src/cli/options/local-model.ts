import { loadConfig } from "../../config/index.js";
import {
  findLocalServers,
  type LocalServer,
  listModels,
  preferredModel,
} from "../../model/index.js";
import { CodexError } from "../../protocol/error.js";
import type { LocalModels } from "../../tui/index.js";
import type { SessionIo, ThreadSettings } from "./session-request.js";

/** Settings that `--oss` adds to a thread. */
export interface LocalModel {
  thread: Pick<ThreadSettings, "model" | "modelProvider">;
  config: Record<string, unknown>;
}

/**
 * Finds a model on this machine.
 *
 * Uses the server named on the command line or in the config, otherwise the first that responds; of its
 * models the requested one, otherwise one made for tools.
 */
export async function findLocalModel(
  asked: { provider: string | undefined; model: string | undefined },
  { env, cwd }: SessionIo,
): Promise<LocalModel> {
  const name = asked.provider ?? (await loadConfig({ env, cwd })).oss_provider;
  const servers = await findLocalServers({ env });
  const found = servers.find(({ provider }) => isAsked(provider.id, name));
  if (found === undefined) throw new CodexError("model", notFoundText(name));
  const model = asked.model ?? preferredModel(found.models);
  if (model === undefined) {
    throw new CodexError(
      "model",
      `${found.provider.name} has no models: download one, or choose one with -m MODEL`,
    );
  }
  return { thread: { model, modelProvider: providerId(found) }, config: providerConfig(found) };
}

/** Matches a server by provider; a server at a custom address (`oss`) matches any. */
function isAsked(id: string, name: string | undefined): boolean {
  return name === undefined || id === name || id === "oss";
}

/** Built-in providers cannot be changed, so the server gets a separate provider id. */
function providerId({ provider }: LocalServer): string {
  return `local-${provider.id}`;
}

function providerConfig(server: LocalServer): Record<string, unknown> {
  const { name, base_url, wire_api } = server.provider;
  return { [`model_providers.${providerId(server)}`]: { name, base_url, wire_api } };
}

function notFoundText(name: string | undefined): string {
  const start = "start Ollama (`ollama serve`) or the LM Studio server, or set CODEX_OSS_BASE_URL";
  return name === undefined
    ? `--oss: no local model server responds: ${start}`
    : `--oss: local provider ${name} does not respond: ${start}`;
}

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
