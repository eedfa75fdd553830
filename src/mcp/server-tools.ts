import type { McpTool } from "../protocol/types.js";
import type { McpBehavior } from "./dialect.js";
import type { SessionServer } from "./session-server.js";
import { type QualifiedName, qualifyNames } from "./tool-names.js";

/** A tool of a server, as the session knows it. */
export interface McpServerTool {
  name: QualifiedName;
  server: string;
  tool: McpTool;
}

/** The tools of all servers by the names they have in a session, in the order of those. */
export function nameTools(
  servers: ReadonlyMap<string, SessionServer>,
  form: McpBehavior["toolNames"],
): McpServerTool[] {
  const all = [...servers].flatMap(([server, { tools }]) =>
    tools.map((definition) => ({ server, tool: definition.name, definition })),
  );
  const named = [...qualifyNames(all, form).values()];
  return named
    .map(({ name, tool }) => ({ name, server: tool.server, tool: tool.definition }))
    .sort((a, b) => (a.name.qualified < b.name.qualified ? -1 : 1));
}
