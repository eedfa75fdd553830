import type { McpStartupStatus, McpTool } from "../protocol/types.js";
import type { ServerFacts } from "./client.js";
import { collectPages } from "./read-results.js";
import type { ResourceKind } from "./requests.js";
import type { SessionServer } from "./session-server.js";

/** Status of a server, as returned to clients. */
export interface McpServerDescription {
  name: string;
  /** By the server's own tool names. */
  tools: Record<string, McpTool>;
  resources: unknown[];
  resourceTemplates: unknown[];
  /** Handshake result; undefined if the server did not start. */
  facts: ServerFacts | undefined;
  /** Reason why the server did not start. */
  failure: string | undefined;
}

/** Options for describing servers. */
export interface DescribeOptions {
  /** If false, skip resources (saves one request per server). */
  withResources?: boolean;
  signal?: AbortSignal;
}

/** Returns the status of each server, including those that failed to start. */
export async function describeServers(
  servers: ReadonlyMap<string, SessionServer>,
  { withResources = true, signal }: DescribeOptions,
): Promise<McpServerDescription[]> {
  const list = (kind: ResourceKind) =>
    withResources ? listResources(servers, kind, signal) : new Map<string, unknown[]>();
  const [resources, templates] = await Promise.all([list("resources"), list("resourceTemplates")]);
  return [...servers].map(([name, server]) => ({
    name,
    tools: Object.fromEntries(server.tools.map((tool) => [tool.name, tool])),
    resources: resources.get(name) ?? [],
    resourceTemplates: templates.get(name) ?? [],
    facts: server.facts,
    failure: server.failure,
  }));
}

/** Lists resources of all servers in parallel; servers that fail are omitted. */
export async function listResources(
  servers: ReadonlyMap<string, SessionServer>,
  kind: ResourceKind,
  signal?: AbortSignal,
): Promise<Map<string, unknown[]>> {
  const lists = await Promise.all(
    [...servers].map(async ([name, server]) => {
      const entries = await listOf(server, kind, signal).catch(() => undefined);
      return [name, entries] as const;
    }),
  );
  signal?.throwIfAborted();
  return new Map(lists.flatMap(([name, entries]) => (entries ? [[name, entries] as const] : [])));
}

function listOf(server: SessionServer, kind: ResourceKind, signal: AbortSignal | undefined) {
  return collectPages(async ({ cursor }) => {
    const page = await server.resourcePage(kind, {
      ...(typeof cursor === "string" ? { cursor } : {}),
      ...(signal === undefined ? {} : { signal }),
    });
    return { [kind]: page.entries, nextCursor: page.nextCursor };
  }, kind);
}

/** Outcome of starting all servers of a session. */
export interface McpStartup {
  ready: string[];
  failed: { server: string; error: string }[];
  cancelled: string[];
  /** Servers among `failed` that the config marks as required. */
  missing: string[];
}

/** Waits until every server has started, failed or been closed, and reports each as it settles. */
export async function collectStartup(
  servers: ReadonlyMap<string, SessionServer>,
  onSettled: (server: string, status: McpStartupStatus) => void,
): Promise<McpStartup> {
  const outcome: McpStartup = { ready: [], failed: [], cancelled: [], missing: [] };
  await Promise.all(
    [...servers].map(async ([name, server]) => {
      const status = await server.started;
      onSettled(name, status);
      if (status.state === "ready") outcome.ready.push(name);
      if (status.state === "cancelled") outcome.cancelled.push(name);
      if (status.state !== "failed") return;
      outcome.failed.push({ server: name, error: server.reason ?? status.error });
      if (server.isRequired) outcome.missing.push(name);
    }),
  );
  return outcome;
}
