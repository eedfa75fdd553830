import { resolve } from "node:path";
import { type ConfigEdit, userHome, writeKey } from "../../config/index.js";
import type { RpcRequest } from "../../jsonrpc/index.js";
import { isRecord } from "../../protocol/read/check.js";
import type {
  ExternalAgentDetectParams,
  ExternalAgentImportParams,
  ExternalAgentRecordParams,
  ExternalAgentTypeResult,
} from "../../protocol/rpc/v2/external-agent.js";
import type { Connection, V2Handlers } from "../connection.js";
import { applyImport } from "../external-agent/apply.js";
import { planImport, toWireItem } from "../external-agent/detect.js";
import { readImports, recordImport } from "../external-agent/history.js";
import type { PlannedItem } from "../external-agent/plan.js";
import { writeConfig } from "./config-write.js";

/** Handlers of the methods that import settings of other agents. */
export const externalAgentHandlers = {
  "externalAgentConfig/detect": async (params, connection) => ({
    items: (await plan(params, connection)).map(toWireItem),
    connectors: [],
  }),
  "externalAgentConfig/import": importItems,
  "externalAgentConfig/import/readHistories": (_, { server }) => ({
    data: readImports(server.home),
    connectors: [],
  }),
  "externalAgentConfig/import/recordHistory": async (
    { providerId, itemTypeResults }: ExternalAgentRecordParams,
    connection,
  ) => ({ importId: await record(itemTypeResults, providerId, connection) }),
} satisfies Partial<V2Handlers>;

type Places = Pick<
  ExternalAgentDetectParams,
  "includeHome" | "cwds" | "source" | "migrationSource"
>;

/** Finds what can be imported; nothing from agents other than Claude Code. */
async function plan(
  { includeHome = false, cwds, source, migrationSource }: Places,
  { server }: Connection,
): Promise<PlannedItem[]> {
  const agent = migrationSource ?? source ?? claudeCode;
  if (agent !== claudeCode && agent !== "claude") return [];
  const { parts, home } = server;
  const { layers } = await parts.readConfigLayers();
  const namesIn = (...path: string[]) =>
    new Set(layers.flatMap(({ values }) => Object.keys(tableAt(values, path))));
  const known = {
    servers: namesIn("mcp_servers"),
    variables: namesIn("shell_environment_policy", "set"),
  };
  const folders = (cwds ?? []).map((cwd) => resolve(parts.cwd, cwd));
  const places = [...(includeHome ? [undefined] : []), ...new Set(folders)];
  return places.flatMap((cwd) => planImport({ userHome: userHome(parts.env), home, cwd }, known));
}

function tableAt(values: object, path: readonly string[]): Readonly<Record<string, unknown>> {
  let table: unknown = values;
  for (const key of path) table = isRecord(table) ? table[key] : undefined;
  return isRecord(table) ? table : {};
}

const claudeCode = "claude-code";

async function importItems(
  { migrationItems, providerId, ...source }: ExternalAgentImportParams,
  connection: Connection,
  request: RpcRequest,
) {
  const cwds = migrationItems.flatMap(({ cwd }) => cwd ?? []);
  const includeHome = migrationItems.some(({ cwd }) => cwd == null);
  const planned = await plan({ ...source, includeHome, cwds }, connection);
  const { parts } = connection.server;
  const wanted = migrationItems.map(({ itemType, cwd }) =>
    keyOf(itemType, cwd == null ? undefined : resolve(parts.cwd, cwd)),
  );
  const items = planned.filter(({ type, cwd }) => wanted.includes(keyOf(type, cwd)));
  const itemTypeResults = await applyImport(items, (edits) => edit(edits, connection));
  const importId = await record(itemTypeResults, providerId, connection);
  request.afterReply(() => {
    const params = { importId, itemTypeResults };
    if (itemTypeResults.length > 0) {
      connection.notify("externalAgentConfig/import/progress", params);
    }
    connection.notify("externalAgentConfig/import/completed", params);
  });
  return { importId, itemTypeResults };
}

/** Adds keys to the user's config, unless the administrator forbids it. */
function edit(edits: readonly ConfigEdit[], connection: Connection): Promise<unknown> {
  const changes = edits.map(({ path, value }) => ({
    keyPath: writeKey(path),
    value,
    mergeStrategy: "upsert" as const,
  }));
  return writeConfig({ edits: changes }, connection);
}

async function record(
  results: readonly ExternalAgentTypeResult[],
  providerId: string | null | undefined,
  { server }: Connection,
): Promise<string> {
  const importId = server.parts.newId();
  await recordImport(server.home, {
    importId,
    completedAtMs: server.parts.clock.now(),
    providerId: providerId ?? null,
    successes: results.flatMap(({ successes }) => successes),
    failures: results.flatMap(({ failures }) => failures),
  });
  return importId;
}

function keyOf(type: string, cwd: string | undefined): string {
  return JSON.stringify([type, cwd ?? null]);
}
