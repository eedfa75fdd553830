import { statSync } from "node:fs";
import type { CodexError } from "../protocol/error.js";
import type { SandboxPolicy, WritableRoot } from "../protocol/types.js";
import { BubblewrapSandbox } from "./bubblewrap-sandbox.js";
import { confine } from "./confinement.js";
import type { Launch } from "./launch.js";
import {
  type CommandToConfine,
  keptPaths,
  type PlatformSandbox,
  type SandboxOptions,
} from "./options.js";
import { hasNetwork, needsSandbox } from "./policy.js";
import { RealPaths } from "./real-paths.js";
import { seatbeltArguments, seatbeltProgram } from "./seatbelt.js";
import { syscallTable } from "./syscalls.js";
import { sandboxUnavailable } from "./unavailable.js";
import { type FoundRoots, findWritableRoots } from "./writable-roots.js";
import { createWriteGuard, openGuard, readOnlyGuard, type WriteGuard } from "./write-guard.js";

/** Turns policies into ways to start commands on this machine. Close it when no command runs. */
export interface Sandbox {
  /** Why policies cannot be enforced here; nothing when they can. Tries it out once. */
  unavailable(): Promise<CodexError | undefined>;
  /** How to start a command. The error means that it must not be started; never a weaker way. */
  prepare(command: CommandToConfine): Promise<Launch | CodexError>;
  /** The writable roots of a policy, as the protocol shows them. */
  writableRoots(policy: SandboxPolicy, cwd: string): WritableRoot[];
  /** Guards writes of this process as commands are guarded. */
  writeGuard(policy: SandboxPolicy, cwd: string): WriteGuard;
  /** Removes at once what is left in workspaces; for the end of the process. */
  close(): void;
}

/** Makes the sandbox of a session. Nothing is touched before the first use. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const realPaths = new RealPaths();
  const findRoots = (policy: SandboxPolicy, cwd: string): FoundRoots =>
    findWritableRoots({ ...options, policy, cwd, realPath: (path) => realPaths.of(path) });
  const confinementOf = (policy: SandboxPolicy, cwd: string) =>
    confine({ roots: findRoots(policy, cwd).roots, nested: [], keep: keptPaths(options) });
  const platform = platformSandbox(options, findRoots);
  return {
    unavailable: () => platform.unavailable(),
    async prepare(command) {
      // Without words there is nothing to confine; whoever starts it finds that out.
      const nothing = command.argv.length === 0;
      if (nothing || !needsSandbox(command.policy)) return plainLaunch(command);
      return (await platform.unavailable()) ?? platform.prepare(command);
    },
    writableRoots: (policy, cwd) =>
      confinementOf(policy, cwd).roots.map(({ path, readOnly }) => ({
        root: path,
        read_only_subpaths: readOnly,
      })),
    writeGuard(policy, cwd) {
      if (!needsSandbox(policy)) return openGuard;
      if (policy.mode === "read-only") return readOnlyGuard;
      return createWriteGuard(confinementOf(policy, cwd));
    },
    close: () => platform.close(),
  };
}

function platformSandbox(
  options: SandboxOptions,
  findRoots: (policy: SandboxPolicy, cwd: string) => FoundRoots,
): PlatformSandbox {
  const { platform, arch } = options;
  if (platform === "darwin") return seatbeltSandbox(options, findRoots);
  if (platform === "win32") {
    return noSandbox("there is none for Windows yet", "Run inside WSL 2");
  }
  if (platform !== "linux") return noSandbox(`there is none for ${platform}`, "Use Linux or macOS");
  const table = syscallTable(arch);
  if (table === undefined) {
    return noSandbox(`the ${arch} architecture is not known`, "Use an x64 or arm64 machine");
  }
  return new BubblewrapSandbox({ ...options, table, findRoots });
}

function noSandbox(cause: string, remedy: string): PlatformSandbox {
  const error = sandboxUnavailable({ cause, remedy });
  return {
    unavailable: async () => error,
    prepare: async () => error,
    close() {},
  };
}

function seatbeltSandbox(
  options: SandboxOptions,
  findRoots: (policy: SandboxPolicy, cwd: string) => FoundRoots,
): PlatformSandbox {
  const missing = sandboxUnavailable({
    cause: `${seatbeltProgram} is missing`,
    remedy: "Restore it; it is part of macOS",
  });
  return {
    unavailable: async () =>
      statSync(seatbeltProgram, { throwIfNoEntry: false }) === undefined ? missing : undefined,
    async prepare(command) {
      const found = findRoots(command.policy, command.cwd);
      const confinement = confine({ roots: found.roots, nested: [], keep: keptPaths(options) });
      const network = hasNetwork(command.policy);
      const unixSockets = options.allowUnixSockets === true;
      const plain = plainLaunch(command);
      return {
        ...plain,
        sandbox: "seatbelt",
        file: seatbeltProgram,
        args: [...seatbeltArguments({ confinement, network, unixSockets }), ...command.argv],
        env: { ...plain.env, CODEX_SANDBOX: "seatbelt" },
        warnings: [...found.warnings, ...confinement.warnings],
      };
    },
    close() {},
  };
}

function plainLaunch({ argv, cwd, workdir, env }: CommandToConfine): Launch {
  const [file = "", ...args] = argv;
  return {
    sandbox: "none",
    file,
    args,
    cwd: workdir ?? cwd,
    env,
    descriptors: [],
    shielded: false,
    warnings: [],
    spawned() {},
    ended: async () => ({ ran: true }),
  };
}
