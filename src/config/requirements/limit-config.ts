import { deniedIn, rulesOfPolicy, withDenied } from "../../protocol/rules-of-policy.js";
import { profileFallback, type SessionPermissions } from "../permissions/choose.js";
import type { Config } from "../resolve/config.js";
import { withSandboxPolicy } from "../resolve/policies.js";
import type { Table } from "../toml/table.js";
import { deniedFiles, profileOfMode } from "./permissions.js";
import type { Requirements } from "./requirements.js";

/** Inputs of `limitConfig`, besides the config. */
interface Limits {
  requirements: Requirements;
  /** Values of all layers. */
  merged: Table;
  /** Permissions without those that the client of this session asks for. */
  settled: SessionPermissions;
  /** Warnings about settings that fell back already. */
  constrained: readonly string[];
  userHome: string;
}

/** Applies the requirements of the administrator to a config with everything else applied. */
export async function limitConfig(config: Config, limits: Limits): Promise<Config> {
  const { requirements, merged, constrained, userHome } = limits;
  const warnings = [...constrained];
  const own = permittedConfig(config, limits, warnings);
  const limited = requirements.constrain(own, merged);
  const isLimited = limited.sandbox_policy !== own.sandbox_policy;
  const settled = isLimited ? await withSandboxPolicy(limited, limited.sandbox_policy) : limited;
  const { values, file } = requirements;
  const denied = deniedFiles(values, { file, userHome });
  const { permissions = rulesOfPolicy(settled.sandbox_policy) } = settled;
  return {
    ...settled,
    ...(denied.length === 0 ? {} : { permissions: withDenied(permissions, denied) }),
    constrained: [...warnings, ...limited.constrained],
  };
}

/** Drops a sandbox policy of the client that stands for a profile which is not permitted. */
function permittedConfig(config: Config, limits: Limits, warnings: string[]): Config {
  const { requirements, settled } = limits;
  const isProfile = config.permissions?.id !== undefined;
  const isAsked = config.sandbox_policy !== settled.sandbox_policy;
  const name = profileOfMode(config.sandbox_policy.mode);
  if (isProfile || !isAsked || requirements.refusedProfile(name) === undefined) return config;
  const { permissions: _, ...others } = config;
  const { permissions: chosen, sandbox_policy } = settled;
  warnings.push(profileFallback(name, chosen?.id ?? profileOfMode(sandbox_policy.mode)));
  const permissions = chosen && withDenied(chosen, deniedIn(config.permissions));
  return { ...others, sandbox_policy, ...(permissions && { permissions }) };
}
