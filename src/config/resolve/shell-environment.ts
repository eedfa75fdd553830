import { defaults } from "../defaults.generated.js";
import type { ConfigDialect } from "../dialect.js";
import type { ShellEnvironmentToml } from "../schema/policy.js";

/** How the environment of commands is made from ours. */
export interface ShellEnvironmentPolicy {
  inherit: "all" | "core" | "none";
  /** Keeps variables with KEY, SECRET or TOKEN in their name. */
  ignore_default_excludes: boolean;
  exclude: readonly string[];
  set: Readonly<Record<string, string>>;
  include_only: readonly string[];
  experimental_use_profile: boolean;
}

/** The policy with what the settings leave open filled in. */
export function resolveShellEnvironment(
  toml: ShellEnvironmentToml | undefined,
  dialect: ConfigDialect,
): ShellEnvironmentPolicy {
  return {
    ...defaults.ShellEnvironmentToml,
    set: {},
    ignore_default_excludes: dialect.ignoreDefaultExcludes,
    ...toml,
  };
}
