import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SuiteCase } from "../suite.js";
import { writeCaseFiles } from "../suites/case-files.js";
import { eraOf, type Place } from "./settings.js";

/** Makes the folders and files that a case about the server starts from. */
export async function prepareRpcPlace(
  testCase: SuiteCase,
  dir: string,
  modelUrl: string,
  provider: string,
): Promise<Place> {
  const [home, workspace] = [join(dir, "home"), join(dir, "workdir")];
  await Promise.all([mkdir(home), mkdir(workspace)]);
  const { config_toml, config, auth_json, files } = testCase;
  const toml =
    typeof config_toml === "string" ? config_toml : toConfigToml(config, modelUrl, provider);
  await writeFile(join(home, "config.toml"), toml);
  if (auth_json !== undefined) {
    await writeFile(join(home, "auth.json"), JSON.stringify(auth_json), { mode: 0o600 });
  }
  await writeCaseFiles(workspace, files as Record<string, string> | undefined);
  return {
    home,
    workspace,
    env: { PATH: process.env.PATH, HOME: dir, CODEX_HOME: home },
    era: eraOf(testCase.era),
  };
}

/** Cases name settings in passing, as `approval_policy = "untrusted"`; the provider's are its own. */
function toConfigToml(config: unknown, modelUrl: string, providerName: string): string {
  const entries =
    typeof config === "string"
      ? [...config.matchAll(/(\w+) = ("[^"]*"|true|false|\d+)/g)].map(([, name, value]) => [
          name,
          value,
        ])
      : Object.entries(config ?? {}).map(([name, value]) => [name, JSON.stringify(value)]);
  const settings: Record<string, string | undefined> = {
    model: '"mock-model"',
    approval_policy: '"never"',
    sandbox_mode: '"danger-full-access"',
  };
  const provider: Record<string, string | undefined> = {
    name: '"mock"',
    base_url: JSON.stringify(`${modelUrl}/v1`),
    wire_api: '"responses"',
    request_max_retries: "0",
    stream_max_retries: "0",
  };
  for (const [name = "", value] of entries) {
    const isOfProvider = name in provider || name === "requires_openai_auth";
    (isOfProvider ? provider : settings)[name] = value;
  }
  const lines = (table: typeof settings) =>
    Object.entries(table).map(([name, value]) => `${name} = ${value}`);
  return [
    ...lines(settings),
    `model_provider = "${providerName}"`,
    `[model_providers.${providerName}]`,
    ...lines(provider),
    "",
  ].join("\n");
}
