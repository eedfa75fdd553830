import { join } from "node:path";
import type { Profile, UserSavedConfig } from "../protocol/rpc/v1/saved-config.js";
import { fileShape } from "./check/shape.generated.js";
import { codexHome, type Environment, userHome } from "./layers/home.js";
import { prepareValues } from "./layers/prepare.js";
import { readConfigFile } from "./layers/read-file.js";
import type { ConfigToml } from "./schema/config-toml.js";
import { defaults } from "./schema/defaults.generated.js";
import type { ProfileToml } from "./schema/profile.js";

/** Reads the user's file alone, without defaults, for v1 clients. */
export async function readUserSavedConfig(env: Environment): Promise<UserSavedConfig> {
  const home = codexHome(env);
  const { values } = await readConfigFile(join(home, "config.toml"));
  const base = { folder: home, userHome: userHome(env) };
  return toUserSavedConfig(prepareValues(values, fileShape, base) as ConfigToml);
}

function toUserSavedConfig(toml: ConfigToml): UserSavedConfig {
  const profiles = Object.entries(toml.profiles ?? {});
  const saved = withoutUndefined({
    approvalPolicy: toml.approval_policy,
    sandboxMode: toml.sandbox_mode,
    sandboxSettings: toSandboxSettings(toml),
    model: toml.model,
    modelReasoningEffort: toml.model_reasoning_effort,
    modelReasoningSummary: toml.model_reasoning_summary,
    modelVerbosity: toml.model_verbosity,
    tools: toTools(toml),
    profile: toml.profile,
  });
  return {
    ...saved,
    profiles: Object.fromEntries(profiles.map(([name, profile]) => [name, toProfile(profile)])),
  };
}

function toSandboxSettings({ sandbox_workspace_write: toml }: ConfigToml) {
  if (toml === undefined) return undefined;
  const settings = { ...defaults.WorkspaceWriteToml, ...toml };
  return {
    writableRoots: [...settings.writable_roots],
    networkAccess: settings.network_access,
    excludeTmpdirEnvVar: settings.exclude_tmpdir_env_var,
    excludeSlashTmp: settings.exclude_slash_tmp,
  };
}

function toTools({ tools }: ConfigToml) {
  if (tools === undefined) return undefined;
  const webSearch = typeof tools.web_search === "boolean" ? tools.web_search : undefined;
  return withoutUndefined({ webSearch, viewImage: tools.view_image });
}

function toProfile(toml: ProfileToml): Profile {
  return {
    model: toml.model ?? null,
    modelProvider: toml.model_provider ?? null,
    approvalPolicy: toml.approval_policy ?? null,
    modelReasoningEffort: toml.model_reasoning_effort ?? null,
    modelReasoningSummary: toml.model_reasoning_summary ?? null,
    modelVerbosity: toml.model_verbosity ?? null,
    chatgptBaseUrl: toml.chatgpt_base_url ?? null,
  };
}

function withoutUndefined<T extends object>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
