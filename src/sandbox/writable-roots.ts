import { isAbsolute, join, sep } from "node:path";
import type { FileAccess, PermissionRules, SpecialPlace } from "../protocol/permission-rules.js";
import { isWithin, realPathOf, realPlaceOf } from "./paths.js";
import { type EnforcedPolicy, needsSandbox } from "./policy.js";

/** Origin of a writable root; explicit settings of the user are trusted more than the environment. */
export type RootOrigin = "policy" | "cwd" | "slash-tmp" | "tmpdir" | "granted";

/** A directory (or file) that commands may write, by its real path. */
export interface Root {
  path: string;
  origin: RootOrigin;
}

/** Options for `findWritableRoots`. */
export interface RootSources {
  policy: EnforcedPolicy;
  /** Working directory of the turn, never that of a single call. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  /** The user's home directory; absent if there is none. */
  userHome?: string;
  /** The agent's own directory, with its configuration and keys. */
  agentHome?: string;
  /** Paths that no grant makes writable. */
  kept?: readonly string[];
  /** Resolves an existing path. */
  realPath(path: string): string | undefined;
}

/** Values that special places of rules depend on. */
type RulePlaces = Pick<RootSources, "cwd" | "env" | "platform">;

/** Roots in the order of the protocol, and warnings about omitted ones. */
export interface FoundRoots {
  roots: Root[];
  warnings: string[];
}

/**
 * Returns the writable roots of a policy: its list, the working directory, `/tmp`, `$TMPDIR`, and
 * the user's grants.
 *
 * A root that would open more than intended is omitted with a warning.
 */
export function findWritableRoots(sources: RootSources): FoundRoots {
  const found: FoundRoots = { roots: [], warnings: [] };
  for (const candidate of candidates(sources)) {
    const path = realPathOfRoot(candidate, sources);
    const problem = problemOf(candidate, path, sources);
    if (problem !== undefined) {
      found.warnings.push(`Not writable: ${nameOf(candidate)} ${problem}.`);
    } else if (path !== undefined && !found.roots.some((root) => root.path === path)) {
      found.roots.push({ path, origin: candidate.origin });
    }
  }
  return found;
}

/** Returns the reason that a path cannot be granted as writable, or `undefined`. */
export function problemOfGrant(
  path: string,
  sources: Pick<RootSources, "kept">,
): string | undefined {
  return problemOfPlace({ path, origin: "granted" }, realPathOf(path), sources);
}

/** A grant names a real path, so it is resolved again: it may have been replaced by a link. */
function realPathOfRoot({ path, origin }: Root, { realPath }: RootSources): string | undefined {
  if (!isAbsolute(path)) return undefined;
  return origin === "granted" ? realPathOf(path) : realPath(path);
}

function candidates(sources: RootSources): Root[] {
  const { policy } = sources;
  const granted = needsSandbox(policy) ? (policy.granted?.writable ?? []) : [];
  return [
    ...candidatesOfPolicy(sources),
    ...granted.map((path): Root => ({ path, origin: "granted" })),
  ];
}

function candidatesOfPolicy(sources: RootSources): Root[] {
  const { policy, cwd, env, platform } = sources;
  if (policy.rules !== undefined) return rootsOfRules(policy.rules, sources);
  if (policy.mode !== "workspace-write") return [];
  const listed = (policy.writable_roots ?? []).map((path): Root => ({ path, origin: "policy" }));
  const slashTmp = platform !== "win32" && policy.exclude_slash_tmp !== true;
  const tmpdir = policy.exclude_tmpdir_env_var === true ? undefined : env.TMPDIR;
  return [
    ...listed,
    { path: cwd, origin: "cwd" },
    ...(slashTmp ? [{ path: "/tmp", origin: "slash-tmp" } as const] : []),
    ...(tmpdir ? [{ path: tmpdir, origin: "tmpdir" } as const] : []),
  ];
}

/** Returns the paths that rules make unwritable although they may be in a writable root. */
export function restrictedPaths(
  { rules }: Pick<EnforcedPolicy, "rules">,
  places: Pick<RootSources, "cwd" | "env">,
): string[] {
  if (rules === undefined) return [];
  const found = rootsOfRules(
    rules,
    { ...places, platform: "linux" },
    (access) => access !== "write",
  );
  return found.map(({ path }) => realPlaceOf(path) ?? path);
}

function rootsOfRules(
  rules: PermissionRules,
  sources: RulePlaces,
  isWanted: (access: FileAccess) => boolean = (access) => access === "write",
): Root[] {
  return rules.files.flatMap(({ place, access }): Root[] => {
    if (!isWanted(access) || place.type === "glob") return [];
    if (place.type === "path") return [{ path: place.path, origin: "policy" }];
    const { name, subpath } = place;
    const roots = specialRoots(name, rules, sources);
    if (subpath === undefined) return roots;
    return roots.map(({ path }): Root => ({ path: join(path, subpath), origin: "policy" }));
  });
}

/** The root of the file system is no candidate: rules that make it writable are no list of roots. */
function specialRoots(
  name: SpecialPlace,
  { workspaceRoots }: PermissionRules,
  { cwd, env, platform }: RulePlaces,
): Root[] {
  const more = workspaceRoots.map((path): Root => ({ path, origin: "policy" }));
  if (name === "workspace_roots") return [{ path: cwd, origin: "cwd" }, ...more];
  if (name === "slash_tmp")
    return platform === "win32" ? [] : [{ path: "/tmp", origin: "slash-tmp" }];
  return name === "tmpdir" && env.TMPDIR ? [{ path: env.TMPDIR, origin: "tmpdir" }] : [];
}

/** Returns true if a path that a policy lists as writable is so: the whole file system and system directories are not. */
export function isPossibleRoot(path: string): boolean {
  return problemOfPlace({ path, origin: "policy" }, realPathOf(path), {}) === undefined;
}

function problemOf(
  candidate: Root,
  path: string | undefined,
  sources: RootSources,
): string | undefined {
  const problem = problemOfPlace(candidate, path, sources);
  if (problem !== undefined || path === undefined) return problem;
  return candidate.origin === "tmpdir" ? problemOfTmpdir(path, sources) : undefined;
}

function problemOfPlace(
  candidate: Root,
  path: string | undefined,
  sources: Pick<RootSources, "kept">,
): string | undefined {
  if (!isAbsolute(candidate.path)) return "is not an absolute path";
  if (path === undefined) return "does not exist";
  if (path === sep) return "is the whole file system";
  if (isSystemDirectory(path)) return "is a directory of the system";
  return candidate.origin === "granted"
    ? problemOfGranted(candidate.path, path, sources)
    : undefined;
}

/** The user approved a real path; the agent's own files cannot be granted. */
function problemOfGranted(
  granted: string,
  path: string,
  { kept = [] }: Pick<RootSources, "kept">,
): string | undefined {
  if (path !== granted) return "is no longer the path that was granted";
  return kept.some((place) => isWithin(path, place)) ? "contains the agent's own files" : undefined;
}

function problemOfTmpdir(path: string, sources: RootSources): string | undefined {
  const { userHome, agentHome, policy } = sources;
  const home = userHome === undefined ? undefined : (sources.realPath(userHome) ?? userHome);
  if (home !== undefined && isWithin(home, path)) return "contains your home directory";
  const agent = agentHome === undefined ? undefined : (sources.realPath(agentHome) ?? agentHome);
  if (agent !== undefined && (isWithin(agent, path) || isWithin(path, agent))) {
    return "contains the agent's own files";
  }
  const excludesTmp = policy.rules
    ? !rootsOfRules(policy.rules, sources).some(({ origin }) => origin === "slash-tmp")
    : policy.mode === "workspace-write" && policy.exclude_slash_tmp === true;
  if (excludesTmp && path === sources.realPath("/tmp")) return "is /tmp, which is excluded";
  return undefined;
}

function nameOf({ path, origin }: Root): string {
  return origin === "tmpdir" ? `TMPDIR (${path})` : path;
}

/** Trees in which write access means control of the system. */
const systemTrees = [
  "/bin",
  "/boot",
  "/dev",
  "/etc",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/proc",
  "/sbin",
  "/sys",
  "/usr/bin",
  "/usr/lib",
  "/usr/lib32",
  "/usr/lib64",
  "/usr/libexec",
  "/usr/libx32",
  "/usr/sbin",
  "/usr/local/bin",
  "/usr/local/sbin",
  "/System",
  "/Library",
  "/private/etc",
];

/** Directories that contain such trees or the files of all users; their subdirectories may be workspaces. */
const systemDirectories = [
  "/home",
  "/private",
  "/private/var",
  "/run",
  "/run/user",
  "/usr",
  "/usr/include",
  "/usr/local",
  "/usr/local/lib",
  "/usr/share",
  "/var",
  "/var/lib",
  "/var/run",
  "/Applications",
  "/Users",
  "/Volumes",
];

function isSystemDirectory(path: string): boolean {
  if (systemDirectories.includes(path)) return true;
  return systemTrees.some((tree) => isWithin(path, tree));
}
