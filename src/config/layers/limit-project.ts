import { relative, sep } from "node:path";
import { realPath } from "../../lib/files.js";
import { isStricter, type Shape, type StricterOnly } from "../check/shape.js";
import { isTable, newTable, type Table, valueAt } from "../toml/table.js";

/** Values that a project may set, and refused ones. */
export interface LimitedValues {
  values: Table;
  refused: Refused[];
}

/** A refused value, with the user's value if the project's is less strict. */
export interface Refused {
  path: string[];
  value: unknown;
  looserThan?: unknown;
}

/** Limits of a project besides the shape of the file. */
export interface ProjectLimits {
  /** Project root; files outside of it must not be named. */
  top: string;
  /** Values of the user and the system, which a project adds to. */
  ownValues: Table;
  /** Values of parent directories of the same project. */
  above: Table;
}

/**
 * Filters the values of a project to those that a project may set.
 *
 * Trust is given once, but the file may change with every pull: it must not loosen the sandbox, redirect
 * requests, run commands for the user or select secrets to send.
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
    if (inner?.ignored !== undefined) continue; // already reported, and without effect
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
