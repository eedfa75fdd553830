import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  type Config,
  type ConfigBehavior,
  type ConfigSources,
  configBehaviors,
  editSettings,
  editUserConfig,
  loadConfig,
  type McpServerToml,
  mergeLayers,
  parseOverride,
  parseTomlValue,
  readConfigLayers,
  removeMcpServer,
  saveMcpServer,
  saveModel,
} from "../../src/config/index.js";
import { resolveShellEnvironment } from "../../src/config/resolve/policies.js";
import { type WebSearchContext, webSearchForTurn } from "../../src/engine/local/tools.js";
import { commandEnvironment } from "../../src/exec/environment.js";
import { modelFamily } from "../../src/model/families.js";
import { isAzure } from "../../src/model/request-target.js";
import type { ReasoningEffort } from "../../src/protocol/types.js";
import type { SuiteAdapter, SuiteCase } from "../suite.js";
import { inFolder } from "./case-files.js";
import { type RunKind, runKind } from "./run-kind.js";

/** The user's settings: reading, resolving, layers and writing. */
export const suite: SuiteAdapter = {
  name: "config_toml",
  run: (testCase, { dir }) => runKind(kinds, testCase, dir),
};

const kinds: Record<string, RunKind<string>> = {
  async parse(testCase, dir) {
    const config = await load(testCase, dir);
    return differ(testCase.expect, { history: config.history, tui: config.tui });
  },
  async sandbox_policy(testCase, dir) {
    const { sandbox_policy } = await load(testCase, dir);
    const mode = testCase.expect_mode;
    if (mode !== undefined) return differ({ mode }, sandbox_policy);
    return differ(testCase.expect, sandbox_policy, "whole");
  },
  async resolve(testCase, dir) {
    return attempt(testCase, async () => toFlat(await load(testCase, dir)));
  },
  async web_search_mode(testCase) {
    const { explicit, ...given } = testCase.given as WebSearchContext;
    return differ(testCase.expect, webSearchForTurn({ ...given, explicit: explicit ?? undefined }));
  },
  layers: runLayers,
  async toml_value({ raw, expect }) {
    const value = await parseTomlValue(String(raw));
    return differ(expect, value === undefined ? { ok: false } : { ok: true, value });
  },
  async cli_override(testCase) {
    return attempt(testCase, () => parseOverride(String(testCase.raw)));
  },
  async provider(testCase, dir) {
    const toml = inTable("model_providers.x", testCase.toml);
    const config = await load({ ...testCase, toml }, dir, { model_provider: "x" });
    return differ(testCase.expect, config.provider);
  },
  async azure_detect({ base_url, provider_name, wire_api, expect }) {
    const given = { base_url, name: provider_name, wire_api } as Parameters<typeof isAzure>[0];
    return differ(expect, isAzure(given));
  },
  async mcp_server(testCase, dir) {
    const toml = inTable("mcp_servers.x", testCase.toml);
    return attempt(testCase, async () => {
      const server = (await load({ ...testCase, toml }, dir)).mcp_servers.get("x");
      return { ...server?.transport, ...server, transport: server?.transport.type };
    });
  },
  async mcp_write({ initial, servers, expect_toml }, dir) {
    await writeInitial(dir, initial);
    await replaceMcpServers(dir, servers as Record<string, McpServerToml>);
    return differ(expect_toml, await readConfig(dir));
  },
  async trust_write({ initial, project, level, expect }, dir) {
    await writeInitial(dir, initial);
    const path = ["projects", String(project), "trust_level"];
    await editUserConfig(dir, [{ path, value: level === "untrusted" ? level : "trusted" }]);
    return differ(expect, await readConfig(dir));
  },
  async shell_env({ vars, policy, expect, era, thread_id }) {
    const resolved = resolveShellEnvironment((policy ?? {}) as object, behaviorOf(String(era)));
    const variables = ["CODEX_THREAD_ID"] as const;
    const env = commandEnvironment({
      policy: resolved,
      inherited: vars as Record<string, string>,
      network: true,
      ...(typeof thread_id === "string" ? { thread: { id: thread_id, variables } } : {}),
    });
    return differ(expect, env, "whole");
  },
  async persist_model({ initial, profile, model, effort, expect }, dir) {
    await writeInitial(dir, initial);
    const target = { home: dir, profile: (profile as string | null) ?? undefined };
    await saveModel(target, {
      model: (model as string | null) ?? undefined,
      effort: (effort as ReasoningEffort | null) ?? undefined,
    });
    const { layers } = await readConfigLayers(sourcesIn(dir, dir));
    return differ(expect, mergeLayers(layers), "whole");
  },
  config_edit: runEdit,
};

/** The cases name all servers that there are to be; the commands of a user name one at a time. */
async function replaceMcpServers(home: string, servers: Record<string, McpServerToml>) {
  const { mcp_servers } = await loadConfig(sourcesIn(home, home));
  const names = Object.keys(servers).sort();
  if (names.length === 0) await editUserConfig(home, [{ path: ["mcp_servers"] }]);
  for (const name of mcp_servers.keys()) {
    if (!names.includes(name)) await removeMcpServer(home, name);
  }
  for (const name of names) await saveMcpServer(home, name, servers[name] ?? {});
}

async function runEdit({ initial, op, expect }: SuiteCase, dir: string) {
  await writeInitial(dir, initial);
  const { fn, profile, overrides } = op as {
    fn: string;
    profile: string | null;
    overrides: [string[], string | null][];
  };
  const edits = overrides
    .filter(([, value]) => value !== null || fn === "set_or_clear")
    .map(([path, value]) => ({ path, value }));
  const failed = await editSettings({ home: dir, profile: profile ?? undefined }, edits).then(
    () => false,
    () => true,
  );
  const contents = await readConfig(dir).catch(() => undefined);
  return differ(expect, { contents, file_exists: contents !== undefined, error: failed });
}

async function runLayers(testCase: SuiteCase, dir: string): Promise<string | undefined> {
  const home = join(dir, "home");
  const system = join(dir, "etc");
  const cwd = inFolder(dir, String(testCase.cwd ?? "work"));
  const trust = Object.entries((testCase.trust ?? {}) as Record<string, string>).map(
    ([path, level]) =>
      `\n[projects.${JSON.stringify(join(dir, path))}]\ntrust_level = "${level}"\n`,
  );
  const files: Record<string, unknown> = {
    ...(testCase.files as object),
    "home/config.toml": [testCase.user_toml ?? "", ...trust].join(""),
    ...(testCase.managed_toml === undefined
      ? {}
      : { "etc/managed_config.toml": testCase.managed_toml }),
    ...(testCase.system_toml === undefined ? {} : { "etc/config.toml": testCase.system_toml }),
  };
  await Promise.all([home, system, cwd].map((folder) => mkdir(folder, { recursive: true })));
  for (const [name, content] of Object.entries(files)) {
    const path = inFolder(dir, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, String(content));
  }
  const sources: ConfigSources = {
    ...sourcesIn(home, cwd),
    systemFolder: system,
    behavior: behaviorOf(testCase.era),
    overrides: (testCase.overrides ?? testCase.cli ?? {}) as Record<string, unknown>,
  };
  return attempt(testCase, async () => {
    const { layers } = await readConfigLayers(sources);
    const { projects: _, ...effective } = mergeLayers(layers);
    const config = await loadConfig(sources);
    return {
      effective,
      disabled_project_layers: layers.filter((layer) => layer.disabledReason !== undefined).length,
      project_layers: layers.filter((layer) => layer.source.type === "project").length,
      ...toFlat(config),
    };
  });
}

async function load(
  { toml, cwd, overrides, era }: SuiteCase,
  home: string,
  more: Record<string, unknown> = {},
): Promise<Config> {
  await writeInitial(home, toml);
  const { additional_writable_roots, ...settings } = (overrides ?? {}) as Record<string, unknown>;
  return loadConfig({
    ...sourcesIn(home, String(cwd ?? home)),
    behavior: behaviorOf(era),
    overrides: { ...settings, ...more },
    writableRoots: (additional_writable_roots as string[] | undefined) ?? [],
  });
}

/** Names that the suite uses for resolved settings. */
function toFlat(config: Config): Record<string, unknown> {
  const family = modelFamily(config.model);
  return {
    ...config,
    sandbox_mode: config.sandbox_policy.mode,
    model_provider_id: config.provider.id,
    active_profile: config.profile ?? null,
    model_context_window: config.model_context_window ?? family.contextWindow,
    model_max_output_tokens: config.model_max_output_tokens ?? family.maxOutputTokens,
    model_reasoning_effort: config.model_reasoning_effort ?? null,
    model_verbosity: config.model_verbosity ?? null,
    include_plan_tool: config.include_plan_tool ?? false,
    tools_web_search_request: config.tools.web_search,
    include_view_image_tool: config.tools.view_image,
    web_search_mode: config.web_search ?? null,
    features: Object.fromEntries(config.features),
    use_experimental_unified_exec_tool: config.features.get("unified_exec") ?? false,
    tui_notifications: config.tui.notifications,
    cli_auth_credentials_store_mode: config.cli_auth_credentials_store,
    mcp_oauth_credentials_store_mode: config.mcp_oauth_credentials_store,
  };
}

function sourcesIn(home: string, cwd: string): ConfigSources {
  return { env: { CODEX_HOME: home, HOME: home }, cwd, systemFolder: join(home, "no-system") };
}

function behaviorOf(era: string): ConfigBehavior {
  const newer = !era.split("+").some((name) => name === "all" || name === "v0.39");
  return configBehaviors[newer ? "2026-02" : "2025-09"];
}

function inTable(table: string, toml: unknown): string {
  return `[${table}]\n${toml}`;
}

async function writeInitial(home: string, text: unknown): Promise<void> {
  if (typeof text === "string") await writeFile(join(home, "config.toml"), text);
}

function readConfig(home: string): Promise<string> {
  return readFile(join(home, "config.toml"), "utf8");
}

/** Some cases expect an error, or words in one. */
async function attempt(
  testCase: SuiteCase,
  run: () => Promise<unknown>,
): Promise<string | undefined> {
  const expected = testCase.expect as { error?: boolean; error_contains?: string };
  try {
    const actual = await run();
    return expected.error ? `no error but ${JSON.stringify(actual)}` : differ(expected, actual);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (expected.error !== true) return message;
    return message.includes(expected.error_contains ?? "") ? undefined : message;
  }
}

/** Unless everything is compared, only the fields that the case names. */
function differ(expected: unknown, actual: unknown, extent?: "whole"): string | undefined {
  const plain = actual === undefined ? undefined : JSON.parse(JSON.stringify(actual));
  const same = extent === "whole" ? isDeepStrictEqual(plain, expected) : contains(plain, expected);
  return same ? undefined : `expected ${JSON.stringify(expected)}, got ${JSON.stringify(plain)}`;
}

function contains(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== "object" || expected === null || Array.isArray(expected)) {
    return isDeepStrictEqual(actual, expected);
  }
  if (typeof actual !== "object" || actual === null) return false;
  return Object.entries(expected).every(([key, value]) =>
    contains((actual as Record<string, unknown>)[key], value),
  );
}
