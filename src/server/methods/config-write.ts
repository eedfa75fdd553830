import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  type ConfigLayer,
  editUserConfig,
  fileOf,
  mergeLayers,
  parseKeyPath,
  type ReadLayers,
  versionOf,
} from "../../config/index.js";
import { RpcError, rpcCodes } from "../../jsonrpc/index.js";
import { CodexError } from "../../protocol/error.js";
import { isRecord } from "../../protocol/read/check.js";
import type {
  ConfigBatchWriteParams,
  ConfigEdit,
  ConfigWriteResponse,
  OverriddenMetadata,
} from "../../protocol/rpc/v2/config.js";
import type { Connection } from "../connection.js";
import { toLayerName } from "./config-view.js";

/** Edits the user's config file: all edits or none, and only if its version is the expected one. */
export async function writeConfig(
  { edits, filePath, expectedVersion }: ConfigBatchWriteParams,
  connection: Connection,
): Promise<ConfigWriteResponse> {
  const { home, parts, skills } = connection.server;
  const userFile = join(home, "config.toml");
  await requireUserFile(filePath, userFile);
  const changes = edits.map(toChange);
  await requireAllowed(changes, connection);
  const options = expectedVersion === undefined ? {} : { expectedVersion };
  const written = await editUserConfig(home, changes, options).catch((error: unknown) => {
    throw toWriteError(error);
  });
  skills.clear();
  const read = await parts.readConfigLayers();
  const paths = changes.map(({ path }) => path);
  const overridden = await findOverridden(read, userFile, paths);
  return {
    status: overridden === null ? "ok" : "okOverridden",
    version: written.version,
    filePath: written.file,
    overriddenMetadata: overridden,
  };
}

async function requireUserFile(filePath: string | undefined, userFile: string): Promise<void> {
  if (filePath === undefined || filePath === userFile) return;
  const [asked, own] = await Promise.all([filePath, userFile].map(toRealPath));
  if (filePath.startsWith("/") && asked === own) return;
  throw writeError("configLayerReadonly", "Only writes to the user config are allowed");
}

/** Throws if an edit contradicts a value that the administrator has fixed. */
async function requireAllowed(
  changes: readonly { path: readonly string[]; value: unknown }[],
  { server }: Connection,
): Promise<void> {
  try {
    const requirements = await server.parts.loadRequirements();
    requirements?.assertWritable(changes);
  } catch (error) {
    throw toWriteError(error);
  }
}

function toRealPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

function toChange({ keyPath, value, mergeStrategy }: ConfigEdit) {
  if (keyPath.trim() === "") {
    throw writeError("configValidationError", "keyPath must not be empty");
  }
  if (value !== null && hasNull(value)) {
    throw writeError(
      "configValidationError",
      `invalid value: TOML has no null, but the value for \`${keyPath}\` contains one`,
    );
  }
  try {
    return { path: parseKeyPath(keyPath), value, merge: mergeStrategy === "upsert" };
  } catch (error) {
    throw toWriteError(error);
  }
}

function hasNull(value: unknown): boolean {
  if (value === null) return true;
  return typeof value === "object" && Object.values(value as object).some(hasNull);
}

type WriteErrorCode = "configLayerReadonly" | "configValidationError" | "configVersionConflict";

function writeError(code: WriteErrorCode, message: string): RpcError {
  return new RpcError(rpcCodes.invalidRequest, message, { config_write_error_code: code });
}

/** Converts an error of the config to one with the code that clients check. */
function toWriteError(error: unknown): unknown {
  if (!(error instanceof CodexError) || error.code !== "config") return error;
  const data = isRecord(error.data) ? error.data : {};
  if (data.reason === "version_conflict") {
    const message = "Configuration was modified since last read. Fetch latest version and retry.";
    return writeError("configVersionConflict", message);
  }
  const reason = whyInvalid(data) ?? error.message;
  return writeError("configValidationError", `Invalid configuration: ${reason}`);
}

function whyInvalid({ allowed, got, key }: Record<string, unknown>): string | undefined {
  if (!Array.isArray(allowed) || typeof got !== "string" || !got.startsWith('"')) return undefined;
  const names = allowed.map((name) => `\`${name}\``);
  const expected = names.length > 2 ? `one of ${names.join(", ")}` : names.join(" or ");
  const path = Array.isArray(key) ? key.join(".") : "";
  return `unknown variant \`${got.slice(1, -1)}\`, expected ${expected}\nin \`${path}\`\n`;
}

async function findOverridden(
  { layers }: ReadLayers,
  userFile: string,
  paths: readonly (readonly string[])[],
): Promise<OverriddenMetadata | null> {
  const own = layers.findIndex((layer) => fileOf(layer.source) === userFile);
  const stronger = layers.slice(own + 1);
  const merged = mergeLayers(layers);
  for (const path of paths) {
    const effective = at(merged, path);
    const layer = stronger.findLast(({ values }) => at(values, path) !== undefined);
    const userValue = at(layers[own]?.values ?? {}, path);
    if (layer === undefined || isDeepStrictEqual(userValue, effective)) continue;
    return {
      message: `Overridden by ${nameOf(layer)}`,
      overridingLayer: {
        name: toLayerName(layer.source),
        version: await versionOf(layer.values),
      },
      effectiveValue: effective,
    };
  }
  return null;
}

function at(values: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), values);
}

function nameOf({ source }: ConfigLayer): string {
  if (source.type === "sessionFlags") return "session flags";
  return `${source.type === "project" ? "project config" : "managed config"}: ${fileOf(source)}`;
}
