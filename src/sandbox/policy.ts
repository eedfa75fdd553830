import type { CodexError } from "../protocol/error.js";
import type { NetworkRules, PermissionRules } from "../protocol/permission-rules.js";
import type { SandboxPolicy } from "../protocol/types.js";
import type { Launch } from "./launch.js";
import { realPlaceOf } from "./paths.js";

/** Permissions that the user granted in addition to a policy. */
export interface Grants {
  /** Real paths; one that has since become a link grants nothing. */
  writable: readonly string[];
  network: boolean;
}

/** A policy as it is enforced: with the user's grants. */
export type EnforcedPolicy = SandboxPolicy & {
  granted?: Grants;
  /** Rules of a permission profile; they decide instead of the mode, which is only the nearest one. */
  rules?: PermissionRules;
};

function permitsNetwork(policy: SandboxPolicy): boolean {
  if (policy.mode === "workspace-write") return policy.network_access === true;
  if (policy.mode === "external-sandbox") return policy.network_access === "enabled";
  return policy.mode === "danger-full-access";
}

/** Returns the policy of settings as it is enforced; a built-in profile is the same as its sandbox mode. */
export function enforcedPolicy({
  sandbox_policy,
  permissions,
}: {
  sandbox_policy: SandboxPolicy;
  permissions?: PermissionRules;
}): EnforcedPolicy {
  if (permissions === undefined) return sandbox_policy;
  const denies = permissions.files.some(({ access }) => access === "deny");
  const isBuiltIn = permissions.id?.startsWith(":") === true && !denies;
  return isBuiltIn ? sandbox_policy : { ...sandbox_policy, rules: permissions };
}

/** Returns true if a policy requires a sandbox of ours. */
export function needsSandbox({ mode, rules }: EnforcedPolicy): boolean {
  if (rules === undefined) return mode === "read-only" || mode === "workspace-write";
  const { enabled, domains } = rules.network;
  return rules.base === "restricted" || !enabled || domains !== undefined || hasDenied(rules);
}

/** Returns true if commands may not read everything under these rules. */
export function restrictsReading(rules: PermissionRules): boolean {
  const readsAll = rules.files.some(
    ({ place, access }) =>
      place.type === "special" && place.name === "root" && !place.subpath && access !== "deny",
  );
  return hasDenied(rules) || (rules.base === "restricted" && !readsAll);
}

function hasDenied({ files }: PermissionRules): boolean {
  return files.some(({ access }) => access === "deny");
}

/** Returns true if a policy permits network access. */
export function hasNetwork(policy: EnforcedPolicy): boolean {
  if (needsSandbox(policy) && policy.granted?.network === true) return true;
  return policy.rules?.network.enabled ?? permitsNetwork(policy);
}

/** Returns the rules by domain that a policy enforces with our proxy, if it has any. */
export function proxiedNetwork(policy: EnforcedPolicy): NetworkRules | undefined {
  const network = policy.granted?.network === true ? undefined : policy.rules?.network;
  return network?.enabled === true && network.domains !== undefined ? network : undefined;
}

/** Options for `createSandbox`; everything it knows of the machine is passed here. */
export interface SandboxOptions {
  platform: NodeJS.Platform;
  arch: string;
  env: Readonly<Record<string, string | undefined>>;
  userHome?: string;
  /** The agent's own directory; always read-only. */
  agentHome?: string;
  /** Directory for locks and temporary files; created on demand, read-only for commands. */
  stateDir: string;
  /** Path of bubblewrap, if not in a standard location. */
  bubblewrapPath?: string;
  /** With network access, also permits Unix sockets: a decision of the user. */
  allowUnixSockets?: boolean;
  /** Directories shown empty to commands, such as that of our control socket. */
  maskedDirectories?: readonly string[];
  /** Files and directories that commands must not read, such as credentials. They need not exist. */
  hidden?: readonly string[];
  /** Resolves names for domain rules; default: the resolver of the system. */
  resolveHost?: (name: string) => Promise<readonly string[]>;
  /** Time limit of the first trial; default: 1.5 s. */
  probeTimeoutMs?: number;
}

/** A command and its permissions. */
export interface CommandToConfine {
  argv: readonly string[];
  /** Working directory of the turn, which determines the writable roots. */
  cwd: string;
  /** Directory to start the command in; default: `cwd`. */
  workdir?: string;
  policy: EnforcedPolicy;
  /** Complete environment of the command. */
  env: Readonly<Record<string, string>>;
  /** True if the command gets its own terminal. */
  terminal?: boolean;
}

/** A program that must not see anything of the machine. */
export interface ProgramToIsolate {
  /** Arguments of Node, the only program in the sandbox. */
  args: readonly string[];
  /** Most memory that it may allocate, in mebibytes. */
  memoryMb: number;
}

/** The platform-specific part of a sandbox. */
export interface PlatformSandbox {
  unavailable(): Promise<CodexError | undefined>;
  prepare(command: CommandToConfine): Promise<Launch | CodexError>;
  isolate(program: ProgramToIsolate): Promise<Launch | CodexError>;
  close(): void;
}

/** Returns the paths that no policy makes writable, as named and resolved. */
export function keptPaths({ agentHome, stateDir }: SandboxOptions): string[] {
  const named = agentHome === undefined ? [stateDir] : [agentHome, stateDir];
  return [...new Set(named.flatMap((path) => [path, realPlaceOf(path) ?? path]))];
}
