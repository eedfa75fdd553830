import { resolve } from "node:path";
import { type Config, mergeLayers, shownLayers, userHome } from "../../config/index.js";
import { CodexError } from "../../protocol/error.js";
import { isRecord } from "../../protocol/read/check.js";
import type {
  ConfigReadParams,
  ConfigReadResponse,
  ConfigRequirementsReadResponse,
  ConfigWarningNotification,
} from "../../protocol/rpc/v2/config.js";
import type { Connection, V2Handlers } from "../connection.js";
import { toOrigins, toShownConfig, toShownLayers } from "./config-view.js";
import { writeConfig } from "./config-write.js";

/** Handlers of the config methods. */
export const configHandlers = {
  "config/read": readConfig,
  "config/value/write": ({ filePath, expectedVersion, ...edit }, connection) => {
    const options = {
      ...(filePath === undefined ? {} : { filePath }),
      ...(expectedVersion === undefined ? {} : { expectedVersion }),
    };
    return writeConfig({ edits: [edit], ...options }, connection);
  },
  "config/batchWrite": async (params, connection) => {
    const written = await writeConfig(params, connection);
    if (params.reloadUserConfig === true) await reload(connection);
    return written;
  },
  "configRequirements/read": readRequirements,
} satisfies Partial<V2Handlers>;

async function readRequirements(
  _: unknown,
  { server }: Connection,
): Promise<ConfigRequirementsReadResponse> {
  const requirements = await server.parts.loadRequirements();
  const shown =
    requirements && (await import("./requirements.js")).toConfigRequirements(requirements);
  return { supportsIndependentSpeedModes: true, requirements: shown ?? null };
}

/**
 * Warns a client of settings that have no effect, of those that the administrator does not allow, and
 * of files that cannot be read.
 */
export async function warnOfConfig(connection: Connection): Promise<void> {
  const { parts, ignoredSettings } = connection.server;
  // Send the reply first: reading the settings takes longer than everything before it.
  const reading = new Promise(setImmediate).then(() => parts.readConfigLayers());
  if (parts.program === undefined) {
    const ignored = reading.then((read) => read.ignored);
    ignoredSettings.warnClient(ignored, (warning) => connection.notify("configWarning", warning));
  } // else the first thread reports them, together with those of the command line
  try {
    const { layers } = await reading;
    // Mistakes in permission profiles show only when they are resolved.
    const hasProfiles = layers.some(
      ({ values }) => (values.default_permissions ?? values.permissions) !== undefined,
    );
    if (!hasProfiles && (await parts.loadRequirements()) === undefined) return;
    const { constrained } = await parts.loadConfig({ type: "configure_session" });
    ignoredSettings.warnOfConstrained(constrained, (warning) =>
      connection.notify("configWarning", warning),
    );
  } catch (error) {
    if (!(error instanceof CodexError) || error.code !== "config") throw error;
    connection.notify("configWarning", toWarning(error));
  }
}

/**
 * Reloads the settings of loaded threads. If another file is invalid, the write stays and the
 * client is warned.
 */
async function reload(connection: Connection): Promise<void> {
  try {
    await connection.server.parts.reloadSettings();
  } catch (error) {
    if (!(error instanceof CodexError) || error.code !== "config") throw error;
    const summary = "Invalid configuration; loaded threads continue as before.";
    connection.notify("configWarning", { ...toWarning(error), summary });
  }
}

async function readConfig(
  { includeLayers = false, cwd }: ConfigReadParams,
  connection: Connection,
): Promise<ConfigReadResponse> {
  const { parts } = connection.server;
  const folder = cwd === undefined ? undefined : resolve(parts.cwd, cwd);
  const read = await parts.readConfigLayers(folder);
  const places = { cwd: folder ?? parts.cwd, userHome: userHome(parts.env) };
  const layers = shownLayers(read, places);
  return {
    config: toShownConfig(mergeLayers(layers), parts.era),
    origins: await toOrigins(layers),
    ...(includeLayers ? { layers: await toShownLayers(layers) } : {}),
  };
}

function toWarning({ message, data }: CodexError): ConfigWarningNotification {
  const { file, source, line, column } = isRecord(data) ? data : {};
  const path = file ?? source;
  const place = typeof line === "number" && { line, column: Number(column ?? 1) };
  return {
    summary: "Invalid configuration; using defaults.",
    details: message,
    ...(typeof path === "string" ? { path } : {}),
    ...(place ? { range: { start: place, end: place } } : {}),
  };
}

/** Loads the settings for the folder of a thread, or of the server if no thread is given. */
export function configFor(connection: Connection, threadId: string | undefined): Promise<Config> {
  const { server } = connection;
  if (threadId === undefined) return server.config();
  const { cwd } = connection.thread(threadId).settings;
  return server.parts.loadConfig({ type: "configure_session", cwd });
}
