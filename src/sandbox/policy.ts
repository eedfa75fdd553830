import type { CodexError } from "../protocol/error.js";
import type { SandboxPolicy } from "../protocol/types.js";
import type { Launch } from "./launch.js";
import { realPlaceOf } from "./paths.js";

/** What the user has granted on top of a policy. */
export interface Grants {
  /** Real paths; one that has become a link since opens nothing. */
  writable: readonly string[];
  network: boolean;
}

/** A policy as it is enforced: with what the user has granted on top of it. */
export type EnforcedPolicy = SandboxPolicy & { granted?: Grants };

/** Whether a policy is for us to enforce. */
export function needsSandbox(policy: SandboxPolicy): boolean {
  return policy.mode === "read-only" || policy.mode === "workspace-write";
}

/** Whether a policy lets commands use the network. */
export function hasNetwork(policy: EnforcedPolicy): boolean {
  if (needsSandbox(policy) && policy.granted?.network === true) return true;
  if (policy.mode === "workspace-write") return policy.network_access === true;
  if (policy.mode === "external-sandbox") return policy.network_access === "enabled";
  return policy.mode === "danger-full-access";
}

/** What a sandbox is made from; everything it knows of the machine comes in here. */
export interface SandboxOptions {
  platform: NodeJS.Platform;
  arch: string;
  env: Readonly<Record<string, string | undefined>>;
  userHome?: string;
  /** The agent's own directory; stays read-only whatever the roots are. */
  agentHome?: string;
  /** A directory of ours for a lock and short-lived files; made when needed, read-only for commands. */
  stateDir: string;
  /** Where bubblewrap is, when not in the usual places. */
  bubblewrapPath?: string;
  /** With network access, lets commands also talk to Unix sockets: the user's decision. */
  allowUnixSockets?: boolean;
  /** Directories shown empty to commands, such as that of our own control socket. */
  maskedDirectories?: readonly string[];
  /** Files and directories that commands must not read, such as sign-ins and tokens. They need not exist. */
  hidden?: readonly string[];
  /** How long the first trial may take; 1.5 s when absent. */
  probeTimeoutMs?: number;
}

/** A command, and what it may do. */
export interface CommandToConfine {
  argv: readonly string[];
  /** The working directory of the turn: what is writable follows from it. */
  cwd: string;
  /** Where the command itself starts; `cwd` when absent. */
  workdir?: string;
  policy: EnforcedPolicy;
  /** The whole environment of the command. */
  env: Readonly<Record<string, string>>;
  /** It gets a terminal of its own. */
  terminal?: boolean;
}

/** What a platform does its own way. */
export interface PlatformSandbox {
  unavailable(): Promise<CodexError | undefined>;
  prepare(command: CommandToConfine): Promise<Launch | CodexError>;
  close(): void;
}

/** Paths that no policy opens, as they are named and where they really are. */
export function keptPaths({ agentHome, stateDir }: SandboxOptions): string[] {
  const named = agentHome === undefined ? [stateDir] : [agentHome, stateDir];
  return [...new Set(named.flatMap((path) => [path, realPlaceOf(path) ?? path]))];
}
