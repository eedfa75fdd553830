import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Era, eraNamed } from "../../src/compat/index.js";
import { configBehaviors, type Environment, loadConfig } from "../../src/config/index.js";
import type { ConfigureSessionOp } from "../../src/protocol/types.js";
import { writeCaseFiles } from "../suites/case-files.js";
import type { Scenario, ScenarioConfig } from "./scenario.js";

/** Folders and variables of a scenario. */
export interface Place {
  home: string;
  workspace: string;
  env: Environment;
  era: Era;
}

/** Makes the folders and files that a scenario starts from. */
export async function preparePlace(scenario: Scenario, dir: string): Promise<Place> {
  const [home, workspace] = [join(dir, "home"), join(dir, "cwd")];
  await Promise.all([mkdir(home), mkdir(workspace)]);
  if (scenario.config_toml !== undefined) {
    await writeFile(join(home, "config.toml"), scenario.config_toml);
  }
  const { auth, env } = scenario.config ?? {};
  if (auth !== undefined)
    await writeFile(join(home, "auth.json"), JSON.stringify(toAuthFile(auth)));
  await writeCaseFiles(workspace, scenario.files);
  return {
    home,
    workspace,
    env: { PATH: process.env.PATH, HOME: dir, CODEX_HOME: home, ...env },
    era: eraOf(scenario.era),
  };
}

/** Session request of a scenario, with its model behind the given address. */
export function toConfigureOp(
  config: ScenarioConfig = {},
  { workspace }: Place,
  modelUrl: string,
): ConfigureSessionOp {
  const {
    auth,
    base_url_suffix,
    provider,
    env: _,
    base_instructions,
    user_instructions,
    include_plan_tool,
    include_apply_patch_tool,
    request_max_retries,
    stream_max_retries,
    stream_idle_timeout_ms,
    ...settings
  } = config;
  const { base_url_suffix: suffix = base_url_suffix ?? "/v1", ...rest } = provider ?? {};
  const limits = { request_max_retries, stream_max_retries, stream_idle_timeout_ms };
  const custom = {
    name: "scenario",
    wire_api: "responses",
    requires_openai_auth: provider === undefined && auth !== undefined,
    ...given(limits),
    ...rest,
    base_url: `${modelUrl}${suffix}`,
  };
  return {
    type: "configure_session",
    cwd: workspace,
    config: { ...settings, model_provider: "scenario", model_providers: { scenario: custom } },
    ...given({
      instructions: base_instructions,
      user_instructions,
      include_plan_tool,
      include_apply_patch_tool,
    }),
  };
}

/** The settings of a scenario as the engine loads them. */
export function loadScenarioConfig(op: ConfigureSessionOp, { env, workspace, era }: Place) {
  const behavior = configBehaviors[era.config];
  return loadConfig({ env, cwd: workspace, overrides: op.config ?? {}, behavior });
}

/** The row of the engine that has the age of a case. */
export function eraOf(name: string): Era {
  const isOld = name.split("+").some((era) => era === "all" || era === "v0.39");
  const era = eraNamed(isOld ? "0.39" : "0.104");
  if (era === undefined) throw new Error(`no era for ${name}`);
  return era;
}

function toAuthFile({ api_key, chatgpt }: NonNullable<ScenarioConfig["auth"]>): object {
  const tokens = chatgpt && { id_token: noClaims, refresh_token: "refresh", ...chatgpt };
  return {
    OPENAI_API_KEY: api_key ?? null,
    ...(tokens === undefined ? {} : { tokens, last_refresh: new Date().toISOString() }),
  };
}

const noClaims = ["{}", "{}", "signature"]
  .map((part) => Buffer.from(part).toString("base64url"))
  .join(".");

/** Returns the value without unset fields. */
function given<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof Fields]?: NonNullable<Fields[Name]> };
}
