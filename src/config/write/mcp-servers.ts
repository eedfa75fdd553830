import { join } from "node:path";
import { fileShape } from "../check/shape.generated.js";
import { shapeAt } from "../check/shape.js";
import type { McpServerToml } from "../schema/mcp-server.js";
import { isTable, newTable, type Table, valueAt } from "../toml/table.js";
import { type EditResult, editConfig } from "./edit-config.js";

/** Adds one server to those of the user, or puts it in the place of the one with its name. */
export function saveMcpServer(
  home: string,
  name: string,
  server: McpServerToml,
): Promise<EditResult> {
  return editConfig(join(home, "config.toml"), [
    { path: ["mcp_servers", name], value: toTable(server) },
  ]);
}

/** Takes one server away from those of the user; false when there is none of that name. */
export async function removeMcpServer(home: string, name: string): Promise<boolean> {
  let isThere = false;
  await editConfig(join(home, "config.toml"), (values) => {
    isThere = valueAt(values, ["mcp_servers", name]) !== undefined;
    return isThere ? [{ path: ["mcp_servers", name] }] : [];
  });
  return isThere;
}

/** In the order of the documentation, without what says nothing; names and values by name. */
function toTable(server: McpServerToml): Table {
  const table = newTable();
  for (const key of Object.keys(shapeAt(fileShape, ["mcp_servers", ""])?.keys ?? {})) {
    const value = server[key as keyof McpServerToml];
    if (value === undefined || isEmpty(value) || (key === "enabled" && value === true)) continue;
    table[key] = isTable(value) ? sorted(value) : value;
  }
  return table;
}

function sorted(table: Table): Table {
  const entries = Object.entries(table).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.assign(newTable(), Object.fromEntries(entries));
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isTable(value) && Object.keys(value).length === 0;
}
