import { isTable, type Table } from "../toml/table.js";

/** The profiles that are built in are sandbox modes. */
export const builtInProfiles: Readonly<Record<string, string>> = {
  ":read-only": "read-only",
  ":workspace": "workspace-write",
  ":danger-full-access": "danger-full-access",
};

/**
 * The settings of the sandbox that stand for a permission profile; undefined if none do.
 *
 * They allow nothing that the profile does not. One that hides files, limits the network by other
 * means than having none, or builds on another profile has no such settings.
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

/** All files can be read in every mode, so a profile that does not say so is stricter than any. */
function sandboxOfFiles(access: ReadonlyMap<string, unknown>): Table | undefined {
  const values = [...access.values()];
  if (!values.every((value) => value === "read" || value === "write")) return undefined;
  if (!access.has(":root")) return undefined;
  const isWritable = (...names: string[]) =>
    [":root", ...names].some((name) => access.get(name) === "write");
  // Within what can be written, a folder that can only be read is one that no mode protects.
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
