import { relative, sep } from "node:path";
import { realPath } from "../../lib/files.js";
import { isStricter, type Shape, type StricterOnly } from "../check/shape.js";
import { isTable, newTable, type Table, valueAt } from "../toml/table.js";

/** Settings that a project may set, and those it set beyond. */
export interface LimitedValues {
  values: Table;
  refused: Refused[];
}

/** A setting that does not count, with the user's value if the project's is looser than that. */
export interface Refused {
  path: string[];
  value: unknown;
  looserThan?: unknown;
}

/** What limits a project besides the shape of the file. */
export interface ProjectLimits {
  /** The top of the project: files outside of it are not for the project to name. */
  top: string;
  /** What the user and the machine say, which a project adds to. */
  ownValues: Table;
  /** What files of the same project further up say, which the ones further down add to. */
  above: Table;
}

/**
 * Keeps of a project's settings what a project may set.
 *
 * Trust is given once, but the file may change with every pull: so it can neither loosen the sandbox
 * nor say where requests go, what is run for the user or which secrets are sent.
 */
export function limitProject(values: Table, shape: Shape, limits: ProjectLimits): LimitedValues {
  const refused: Refused[] = [];
  const kept = limitTable(values, shape, [], refused, limits);
  const servers = kept.mcp_servers;
  for (const name of isTable(servers) ? Object.keys(servers) : []) {
    // Merged into the user's own server, a project's command would get that server's secrets.
    if (valueAt(limits.ownValues, ["mcp_servers", name]) === undefined) continue;
    delete (servers as Table)[name];
    refused.push({ path: ["mcp_servers", name], value: undefined });
  }
  return { values: kept, refused };
}

function limitTable(
  table: Table,
  shape: Shape,
  path: readonly string[],
  refused: Refused[],
  limits: ProjectLimits,
): Table {
  const kept = newTable();
  for (const [key, value] of Object.entries(table)) {
    const inner =
      shape.keys !== undefined && Object.hasOwn(shape.keys, key) ? shape.keys[key] : undefined;
    const at = [...path, key];
    if (inner === undefined && shape.entries === undefined) continue;
    if (inner?.ignored !== undefined) continue; // told already, and nothing follows from it
    const rule = stricterRule(inner);
    const base = rule && (valueAt(limits.above, at) ?? valueAt(limits.ownValues, at) ?? rule.unset);
    if (rule !== undefined && !isStricter(value, base, rule)) {
      refused.push({ path: at, value, looserThan: base });
    } else if (rule !== undefined) kept[key] = value;
    else if (inner !== undefined && !isAllowed(value, inner, limits)) {
      refused.push({ path: at, value });
    } else if (!isTable(value)) kept[key] = value;
    else kept[key] = limitTable(value, inner ?? shape.entries ?? {}, at, refused, limits);
  }
  return kept;
}

function isAllowed(value: unknown, { project, path }: Shape, { top }: ProjectLimits): boolean {
  if (project === undefined) return false;
  if (Array.isArray(project) && !project.includes(value)) return false;
  return path !== true || (typeof value === "string" && isInside(value, top));
}

function stricterRule(shape: Shape | undefined): StricterOnly | undefined {
  const project = shape?.project;
  return typeof project === "object" && "strictestFirst" in project ? project : undefined;
}

function isInside(file: string, folder: string): boolean {
  const way = relative(realPath(folder), realPath(file));
  return way !== ".." && !way.startsWith(`..${sep}`) && way !== "";
}
