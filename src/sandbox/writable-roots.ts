import { isAbsolute, sep } from "node:path";
import type { SandboxPolicy } from "../protocol/types.js";
import { isWithin } from "./paths.js";

/** Where a writable root comes from; what the user wrote down is trusted more than the environment. */
export type RootOrigin = "policy" | "cwd" | "slash-tmp" | "tmpdir";

/** A directory (or file) that commands may write, by its real path. */
export interface Root {
  path: string;
  origin: RootOrigin;
}

/** What the roots of a turn are made from. */
export interface RootSources {
  policy: SandboxPolicy;
  /** The working directory of the turn, never that of a single call. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  /** The user's home directory; absent when there is none. */
  userHome?: string;
  /** The agent's own directory, with its configuration and keys. */
  agentHome?: string;
  /** The real path of something that exists. */
  realPath(path: string): string | undefined;
}

/** The roots in the order of the protocol, and what was left out. */
export interface FoundRoots {
  roots: Root[];
  warnings: string[];
}

/**
 * The places a policy lets commands write to: its own list, the working directory, `/tmp`, `$TMPDIR`.
 *
 * Whatever would open more than was meant is left out with a warning.
 */
export function findWritableRoots(sources: RootSources): FoundRoots {
  const found: FoundRoots = { roots: [], warnings: [] };
  for (const candidate of candidates(sources)) {
    const path = isAbsolute(candidate.path) ? sources.realPath(candidate.path) : undefined;
    const problem = problemOf(candidate, path, sources);
    if (problem !== undefined) {
      found.warnings.push(`Not writable: ${nameOf(candidate)} ${problem}.`);
    } else if (path !== undefined && !found.roots.some((root) => root.path === path)) {
      found.roots.push({ path, origin: candidate.origin });
    }
  }
  return found;
}

function candidates({ policy, cwd, env, platform }: RootSources): Root[] {
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

function problemOf(
  candidate: Root,
  path: string | undefined,
  sources: RootSources,
): string | undefined {
  if (!isAbsolute(candidate.path)) return "is not an absolute path";
  if (path === undefined) return "does not exist";
  if (path === sep) return "is the whole file system";
  if (isSystemDirectory(path)) return "is a directory of the system";
  return candidate.origin === "tmpdir" ? problemOfTmpdir(path, sources) : undefined;
}

function problemOfTmpdir(path: string, sources: RootSources): string | undefined {
  const { userHome, agentHome, policy } = sources;
  const home = userHome === undefined ? undefined : (sources.realPath(userHome) ?? userHome);
  if (home !== undefined && isWithin(home, path)) return "holds your home directory";
  const agent = agentHome === undefined ? undefined : (sources.realPath(agentHome) ?? agentHome);
  if (agent !== undefined && (isWithin(agent, path) || isWithin(path, agent))) {
    return "holds the agent's own files";
  }
  const excludesTmp = policy.mode === "workspace-write" && policy.exclude_slash_tmp === true;
  if (excludesTmp && path === sources.realPath("/tmp")) return "is /tmp, which is excluded";
  return undefined;
}

function nameOf({ path, origin }: Root): string {
  return origin === "tmpdir" ? `TMPDIR (${path})` : path;
}

/** Places where being able to write means being able to do anything; with all that is below them. */
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

/** Places that hold such trees or everyone's files; what lies below them may be a workspace. */
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
