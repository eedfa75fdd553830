import { lazy } from "../lib/async.js";
import type { CodexError } from "../protocol/error.js";
import { rulesOfPolicy } from "../protocol/rules-of-policy.js";
import type { WritableRoot } from "../protocol/types.js";
import { BubblewrapSandbox } from "./bubblewrap-sandbox.js";
import { confine } from "./confinement.js";
import type { AccessExplainer } from "./explain.js";
import { type Launch, plainLaunch } from "./launch.js";
import { isWithin, RealPaths } from "./paths.js";
import {
  type CommandToConfine,
  type EnforcedPolicy,
  keptPaths,
  needsSandbox,
  type PlatformSandbox,
  type ProgramToIsolate,
  restrictsReading,
  type SandboxOptions,
} from "./policy.js";
import type { ReadGuard } from "./read-guard.js";
import type { RuleFiles } from "./rules/rule-files.js";
import { seatbeltSandbox } from "./seatbelt-sandbox.js";
import { syscallTables } from "./syscalls.js";
import { sandboxUnavailable } from "./unavailable.js";
import {
  type FoundRoots,
  findWritableRoots,
  problemOfGrant,
  restrictedPaths,
} from "./writable-roots.js";
import { createWriteGuard, openGuard, readOnlyGuard, type WriteGuard } from "./write-guard.js";

/** Translates policies into launches on this machine. Close it when no command is running. */
export interface Sandbox {
  /**
   * Returns the reason that policies cannot be enforced, or `undefined` if they can. Tries once and
   * caches the result.
   */
  unavailable(): Promise<CodexError | undefined>;
  /** Returns the launch of a command, or an error if it must not be started; never a weaker sandbox. */
  prepare(command: CommandToConfine): Promise<Launch | CodexError>;
  /**
   * Returns the launch of Node with nothing else in its file system, without network and variables, or
   * an error if that is not possible on this machine.
   */
  isolate(program: ProgramToIsolate): Promise<Launch | CodexError>;
  /** Returns the writable roots of a policy, as the protocol shows them. */
  writableRoots(policy: EnforcedPolicy, cwd: string): WritableRoot[];
  /**
   * Returns a guard that applies the writable roots of commands to writes of this process. What
   * permission rules deny is up to the guard of reads.
   */
  writeGuard(policy: EnforcedPolicy, cwd: string): WriteGuard;
  /**
   * Returns a guard that applies permission rules to reads of this process; undefined if the policy
   * lets commands read everything. Rejects if a rule cannot be enforced.
   */
  readGuard(policy: EnforcedPolicy, cwd: string): Promise<ReadGuard | undefined>;
  /**
   * Returns explanations of single decisions under a policy. Rejects if a rule cannot be enforced.
   */
  explain(policy: EnforcedPolicy, cwd: string): Promise<AccessExplainer>;
  /** Returns the reason that the user cannot grant write access to a real path, or `undefined`. */
  grantProblem(path: string): string | undefined;
  /** Removes leftovers in workspaces immediately; for the end of the process. */
  close(): void;
}

/** Creates the sandbox of a session. Does nothing before the first use. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const realPaths = lazy(() => new RealPaths());
  const realPath = (path: string) => realPaths().of(path);
  const kept = () => keptPaths(options);
  const findRoots = (policy: EnforcedPolicy, cwd: string): FoundRoots =>
    findWritableRoots({
      ...options,
      ...(policy.granted === undefined ? {} : { kept: kept() }),
      policy,
      cwd,
      realPath,
    });
  const confinementOf = (policy: EnforcedPolicy, cwd: string) =>
    confine({
      roots: findRoots(policy, cwd).roots,
      nested: [],
      keep: [...kept(), ...restrictedPaths(policy, { cwd, env: options.env })],
      userHome: options.userHome,
    });
  const ruleFiles = lazy(async () => {
    const { RuleFiles } = await import("./rules/rule-files.js");
    return new RuleFiles(options);
  });
  const platform = lazy(() => platformSandbox(options, findRoots, ruleFiles));
  const sandbox: Sandbox = {
    unavailable: () => platform().unavailable(),
    async prepare(command) {
      // An empty command needs no sandbox; starting it fails anyway.
      const nothing = command.argv.length === 0;
      if (nothing || !needsSandbox(command.policy)) return plainLaunch(command);
      return (await platform().unavailable()) ?? platform().prepare(command);
    },
    async isolate(program) {
      return (await platform().unavailable()) ?? platform().isolate(program);
    },
    writableRoots(policy, cwd) {
      const restricted = restrictedPaths(policy, { cwd, env: options.env });
      if (policy.rules?.base === "unrestricted") {
        return [{ root: "/", read_only_subpaths: restricted }];
      }
      return confinementOf(policy, cwd).roots.map(({ path, readOnly }) => ({
        root: path,
        read_only_subpaths: [...readOnly, ...restricted.filter((one) => isWithin(one, path))],
      }));
    },
    writeGuard(policy, cwd) {
      if (!needsSandbox(policy) || policy.rules?.base === "unrestricted") return openGuard;
      const confinement = confinementOf(policy, cwd);
      const isReadOnly = policy.mode === "read-only" && confinement.roots.length === 0;
      return isReadOnly ? readOnlyGuard : createWriteGuard(confinement);
    },
    async readGuard(policy, cwd) {
      const { rules, granted } = policy;
      if (rules === undefined || !restrictsReading(rules)) return undefined;
      return (await ruleFiles()).readGuard(rules, cwd, granted?.writable);
    },
    async explain(policy, cwd) {
      const { AccessExplainer } = await import("./explain.js");
      const rules = policy.rules ?? rulesOfPolicy(policy);
      return new AccessExplainer({
        rules,
        access: (await ruleFiles()).access(rules, cwd),
        readGuard: await sandbox.readGuard(policy, cwd),
        writeGuard: sandbox.writeGuard(policy, cwd),
        hidden: needsSandbox(policy) && rules.base === "restricted" ? (options.hidden ?? []) : [],
        cwd,
      });
    },
    grantProblem: (path) => problemOfGrant(path, { kept: kept() }),
    close() {
      platform.created?.close();
      void ruleFiles.created?.then((files) => files.close());
    },
  };
  return sandbox;
}

function platformSandbox(
  options: SandboxOptions,
  findRoots: (policy: EnforcedPolicy, cwd: string) => FoundRoots,
  ruleFiles: () => Promise<RuleFiles>,
): PlatformSandbox {
  const { platform, arch } = options;
  if (platform === "darwin") return seatbeltSandbox({ ...options, findRoots, ruleFiles });
  if (platform === "win32") {
    return noSandbox("there is none for Windows yet", "Run inside WSL 2");
  }
  if (platform !== "linux") return noSandbox(`there is none for ${platform}`, "Use Linux or macOS");
  const table = syscallTables.get(arch);
  if (table === undefined) {
    return noSandbox(`the ${arch} architecture is not known`, "Use an x64 or arm64 machine");
  }
  return new BubblewrapSandbox({ ...options, table, findRoots, ruleFiles });
}

function noSandbox(cause: string, remedy: string): PlatformSandbox {
  const error = sandboxUnavailable({ cause, remedy });
  return {
    unavailable: async () => error,
    prepare: async () => error,
    isolate: async () => error,
    close() {},
  };
}
