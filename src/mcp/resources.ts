import { collectPages } from "./list-tools.js";
import type { SessionServer } from "./session-server.js";

/** What servers have to read: resources, and templates of their addresses. */
export type ResourceKind = "resources" | "resourceTemplates";

/** The method that lists each kind. */
export const pageMethods: Record<ResourceKind, string> = {
  resources: "resources/list",
  resourceTemplates: "resources/templates/list",
};

/** Asks all servers at once for all that they have; those that fail are left out. */
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
