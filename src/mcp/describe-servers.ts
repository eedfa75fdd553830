import type { McpTool } from "../protocol/types.js";
import type { ServerFacts } from "./client.js";
import { listResources, type ResourceKind } from "./resources.js";
import type { SessionServer } from "./session-server.js";

/** What a server has, as clients that ask for its status are told. */
export interface McpServerDescription {
  name: string;
  /** By the names that the server gives them. */
  tools: Record<string, McpTool>;
  resources: unknown[];
  resourceTemplates: unknown[];
  /** What it says of itself; absent when it did not start. */
  facts: ServerFacts | undefined;
  /** Why it did not start, if it did not. */
  failure: string | undefined;
}

/** How much is asked of servers that are described. */
export interface DescribeOptions {
  /** False: nobody wants their resources, which take a question to each server more. */
  withResources?: boolean;
  signal?: AbortSignal;
}

/** What each server has, also those that have nothing because they did not start. */
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
