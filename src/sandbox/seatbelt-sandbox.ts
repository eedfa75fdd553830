import { statSync } from "node:fs";
import { errorText } from "../lib/errors.js";
import { type Confinement, confine } from "./confinement.js";
import { type Launch, plainLaunch } from "./launch.js";
import { realPlaceOf } from "./paths.js";
import {
  type CommandToConfine,
  type EnforcedPolicy,
  hasNetwork,
  keptPaths,
  type PlatformSandbox,
  proxiedNetwork,
  type SandboxOptions,
} from "./policy.js";
import type { RuleFiles } from "./rules/rule-files.js";
import { type SeatbeltPlan, seatbeltArguments, seatbeltProgram } from "./seatbelt.js";
import { cannotConfine, sandboxUnavailable } from "./unavailable.js";
import type { FoundRoots } from "./writable-roots.js";

/** Options of the sandbox for macOS. */
export interface SeatbeltSandboxOptions extends SandboxOptions {
  findRoots(policy: EnforcedPolicy, cwd: string): FoundRoots;
  /** Loads what resolves rules of a profile. */
  ruleFiles(): Promise<RuleFiles>;
}

/** Confines commands with `sandbox-exec`. */
export function seatbeltSandbox(options: SeatbeltSandboxOptions): PlatformSandbox {
  const missing = sandboxUnavailable({
    cause: `${seatbeltProgram} is missing`,
    remedy: "Restore it; it is part of macOS",
  });
  return {
    unavailable: async () =>
      statSync(seatbeltProgram, { throwIfNoEntry: false }) === undefined ? missing : undefined,
    async prepare(command) {
      try {
        return await prepare(command, options);
      } catch (error) {
        return cannotConfine(errorText(error), error);
      }
    },
    isolate: async () =>
      sandboxUnavailable({
        cause: "a program cannot be isolated on macOS yet",
        remedy: "Use Linux for it",
      }),
    close() {},
  };
}

async function prepare(
  command: CommandToConfine,
  options: SeatbeltSandboxOptions,
): Promise<Launch> {
  const { plan, warnings } = await planSeatbelt(command, options);
  const proxied = proxiedNetwork(command.policy);
  if (proxied === undefined) return launchOf(command, plan, warnings);
  const { startLocalProxy } = await import("./network/local-proxy.js");
  const proxy = await startLocalProxy({ rules: proxied, resolveHost: options.resolveHost });
  const env = { ...command.env, ...proxy.variables };
  const launch = launchOf({ ...command, env }, { ...plan, proxyPort: proxy.port }, warnings);
  return {
    ...launch,
    ended: (stderr) => {
      proxy.close();
      return launch.ended(stderr);
    },
  };
}

/** Returns the plan of a command, without the proxy. Throws if a rule cannot be enforced. */
export async function planSeatbelt(
  { policy, cwd, workdir }: Pick<CommandToConfine, "policy" | "cwd" | "workdir">,
  options: SeatbeltSandboxOptions,
): Promise<{ plan: SeatbeltPlan; warnings: string[] }> {
  const found = options.findRoots(policy, cwd);
  const files =
    policy.rules &&
    (await (
      await options.ruleFiles()
    ).resolve(policy.rules, {
      cwd,
      ...(workdir === undefined ? {} : { workdir }),
      roots: found.roots,
    }));
  const confinement: Confinement = confine({
    roots: files?.roots ?? found.roots,
    nested: [],
    keep: keptPaths(options),
    userHome: options.userHome,
  });
  const isOpen = policy.rules?.base === "unrestricted";
  const rules =
    files && (await import("./seatbelt-rules.js")).toSeatbeltRules(files, { isOpen, confinement });
  const hidden = files?.root === "write" ? [] : (options.hidden ?? []);
  return {
    plan: {
      confinement,
      network: hasNetwork(policy),
      unixSockets: options.allowUnixSockets === true,
      hidden: [...new Set(hidden.map((path) => realPlaceOf(path) ?? path))],
      ...(rules === undefined ? {} : { rules }),
    },
    warnings: [...found.warnings, ...confinement.warnings, ...(files?.warnings ?? [])],
  };
}

function launchOf(
  command: CommandToConfine,
  plan: SeatbeltPlan,
  warnings: readonly string[],
): Launch {
  const plain = plainLaunch(command);
  return {
    ...plain,
    sandbox: "seatbelt",
    file: seatbeltProgram,
    args: [...seatbeltArguments(plan), ...command.argv],
    env: { ...plain.env, CODEX_SANDBOX: "seatbelt" },
    warnings,
  };
}
