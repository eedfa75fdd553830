import { isAbsolute, join, resolve } from "node:path";
import type { Shape } from "../check/shape.js";
import { parseKeyPath } from "../toml/key.js";
import { copyTable, isTable, putAt, type Table, valueAt } from "../toml/table.js";

/** Base of the paths of a layer. */
export interface PathBase {
  folder: string;
  /** Directory that `~` expands to. */
  userHome: string;
}

/**
 * Prepares the values of a layer for merging: makes paths absolute and replaces older key names.
 *
 * `permissions` are the profiles that `default_permissions` can name besides built-in ones.
 */
export function prepareValues(
  values: Table,
  shape: Shape,
  base: PathBase,
  permissions?: unknown,
): Table {
  const copy = copyTable(values);
  resolvePaths(copy, shape, base);
  for (const { alias, value } of takeAliases(copy, shape)) {
    // Within one file the newer name wins.
    if (valueAt(copy, alias) === undefined) putAt(copy, alias, value);
  }
  // Within one file the profile wins.
  Object.assign(copy, sandboxOfProfile(copy.default_permissions, permissions));
  return copy;
}

function resolvePaths(value: unknown, shape: Shape | undefined, base: PathBase): void {
  if (Array.isArray(value)) {
    for (const entry of value) resolvePaths(entry, shape?.items, base);
  }
  if (!isTable(value)) return;
  for (const [key, entry] of Object.entries(value)) {
    const inner = innerShape(shape, key);
    if (inner?.path !== true) resolvePaths(entry, inner, base);
    else if (Array.isArray(entry)) value[key] = entry.map((path) => toAbsolute(String(path), base));
    else value[key] = toAbsolute(String(entry), base);
  }
}

function toAbsolute(path: string, { folder, userHome }: PathBase): string {
  if (path === "~" || path.startsWith("~/")) return join(userHome, path.slice(1));
  return isAbsolute(path) ? path : resolve(folder, path);
}

function takeAliases(
  table: Table,
  shape: Shape | undefined,
): { alias: string[]; value: unknown }[] {
  return Object.entries(table).flatMap(([key, value]) => {
    const inner = innerShape(shape, key);
    if (inner?.alias !== undefined) {
      delete table[key];
      return [{ alias: parseKeyPath(inner.alias), value }];
    }
    return isTable(value) ? takeAliases(value, inner) : [];
  });
}

function innerShape(shape: Shape | undefined, key: string): Shape | undefined {
  const known = shape?.keys !== undefined && Object.hasOwn(shape.keys, key);
  return known ? shape?.keys?.[key] : shape?.entries;
}

/** Sandbox modes of the built-in permission profiles. */
export const builtInProfiles: Readonly<Record<string, string>> = {
  ":read-only": "read-only",
  ":workspace": "workspace-write",
  ":danger-full-access": "danger-full-access",
};

/**
 * Returns the sandbox settings equivalent to a permission profile; undefined if there are none.
 *
 * They allow nothing that the profile denies. A profile that hides files, restricts the network
 * partially, or extends another profile has no equivalent.
 */
export function sandboxOfProfile(name: unknown, profiles: unknown): Table | undefined {
  if (typeof name !== "string") return undefined;
  if (Object.hasOwn(builtInProfiles, name)) return { sandbox_mode: builtInProfiles[name] };
  const profile = isTable(profiles) && Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (!isTable(profile)) return undefined;
  const { description: _, filesystem, network, ...others } = profile;
  if (Object.keys(others).length > 0 || !isWithoutNetwork(network)) return undefined;
  return isTable(filesystem) ? sandboxOfFiles(new Map(Object.entries(filesystem))) : undefined;
}

function isWithoutNetwork(network: unknown): boolean {
  if (network === undefined) return true;
  return isTable(network) && Object.entries(network).every(([key, on]) => key === "enabled" && !on);
}

/** Every mode allows reading all files, so a profile without read access to `:root` has no equivalent. */
function sandboxOfFiles(access: ReadonlyMap<string, unknown>): Table | undefined {
  const values = [...access.values()];
  if (!values.every((value) => value === "read" || value === "write")) return undefined;
  if (!access.has(":root")) return undefined;
  const isWritable = (...names: string[]) =>
    [":root", ...names].some((name) => access.get(name) === "write");
  // No mode protects a read-only directory inside a writable one.
  const isGuarded = [...access].some(([name, value]) => value === "read" && name !== ":root");
  if (isGuarded || !isWritable(":workspace_roots", ":project_roots")) {
    return { sandbox_mode: "read-only" };
  }
  return {
    sandbox_mode: "workspace-write",
    sandbox_workspace_write: {
      writable_roots: [],
      network_access: false,
      exclude_tmpdir_env_var: !isWritable(":tmpdir"),
      exclude_slash_tmp: !isWritable(":slash_tmp", "/tmp"),
    },
  };
}
