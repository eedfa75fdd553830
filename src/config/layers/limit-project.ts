import { relative, sep } from "node:path";
import { realPath } from "../../lib/real-path.js";
import type { Shape } from "../check/shape.js";
import { isTable, newTable, type Table, valueAt } from "../toml/table.js";

/** What a project may say, and what it said beyond. */
export interface LimitedValues {
  values: Table;
  refused: string[][];
}

/** What limits a project besides the shape of the file. */
export interface ProjectLimits {
  /** The top of the project: files outside of it are not for the project to name. */
  top: string;
  /** What the user and the machine say, which a project adds to. */
  ownValues: Table;
}

/**
 * Keeps of a project's settings what a project may set.
 *
 * Trust is given once, but the file may change with every pull: so it can neither loosen the sandbox
 * nor say where requests go, what is run for the user or which secrets are sent.
 */
export function limitProject(values: Table, shape: Shape, limits: ProjectLimits): LimitedValues {
  const refused: string[][] = [];
  const kept = limitTable(values, shape, [], refused, limits);
  const servers = kept.mcp_servers;
  for (const name of isTable(servers) ? Object.keys(servers) : []) {
    // Merged into the user's own server, a project's command would get that server's secrets.
    if (valueAt(limits.ownValues, ["mcp_servers", name]) === undefined) continue;
    delete (servers as Table)[name];
    refused.push(["mcp_servers", name]);
  }
  return { values: kept, refused };
}

function limitTable(
  table: Table,
  shape: Shape,
  path: readonly string[],
  refused: string[][],
  limits: ProjectLimits,
): Table {
  const kept = newTable();
  for (const [key, value] of Object.entries(table)) {
    const inner =
      shape.keys !== undefined && Object.hasOwn(shape.keys, key) ? shape.keys[key] : undefined;
    const at = [...path, key];
    if (inner === undefined && shape.entries === undefined) continue;
    if (inner?.ignored !== undefined) continue; // told already, and nothing follows from it
    if (inner !== undefined && !isAllowed(value, inner, limits)) refused.push(at);
    else if (!isTable(value)) kept[key] = value;
    else kept[key] = limitTable(value, inner ?? shape.entries ?? {}, at, refused, limits);
  }
  return kept;
}

function isAllowed(value: unknown, { project, path }: Shape, { top }: ProjectLimits): boolean {
  if (project === undefined) return false;
  if (project !== true && !project.includes(value)) return false;
  return path !== true || (typeof value === "string" && isInside(value, top));
}

function isInside(file: string, folder: string): boolean {
  const way = relative(realPath(folder), realPath(file));
  return way !== ".." && !way.startsWith(`..${sep}`) && way !== "";
}
