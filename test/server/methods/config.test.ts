import { readFileSync, writeFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ConfigReadResponse } from "../../../src/protocol/rpc/v2/config.js";
import { initialize, startAppServer } from "../../support/app-server.js";
import type { TestClient, TestServer } from "../../support/server.js";

const text = `# mine
model = "gpt-x" # the best
notify = ["say", "it"]

[tools]
web_search = true
`;

async function start(options: Parameters<typeof startAppServer>[0] = {}) {
  const server = await startAppServer(options);
  writeFileSync(join(server.home, "config.toml"), text);
  const client = server.connect();
  await initialize(client);
  return { server, client, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function read(client: TestClient, params: object = {}): Promise<ConfigReadResponse> {
  return (await client.call("config/read", params)) as ConfigReadResponse;
}

function fileOf({ home }: TestServer): string {
  return readFileSync(join(home, "config.toml"), "utf8");
}

test("settings are read with their origins", async () => {
  await using scene = await start();
  const { client, server } = scene;

  const { config, origins, layers } = await read(client, { includeLayers: true });

  expect(config).toMatchObject({
    model: "gpt-x",
    approval_policy: null,
    notify: ["say", "it"],
    tools: { web_search: null },
    profiles: {},
  });
  const name = { type: "user", file: join(server.home, "config.toml"), profile: null };
  const version = origins.model?.version;
  expect(origins).toEqual({
    model: { name, version },
    "notify.0": { name, version },
    "notify.1": { name, version },
    "tools.web_search": { name, version },
  });
  expect(layers?.[0]).toEqual({
    name,
    version,
    config: { model: "gpt-x", notify: ["say", "it"], tools: { web_search: true } },
  });
  expect(layers?.at(-1)?.name).toMatchObject({ type: "system" });
});

test("newer clients receive the defaults of unset settings", async () => {
  await using scene = await start();
  const { client, server } = scene;
  const provider = '[model_providers.mine]\nname = "Mine"\n';
  writeFileSync(join(server.home, "config.toml"), `${provider}[history]\nmax_bytes = 5\n`);

  const { config } = await read(client);

  expect(config).toMatchObject({
    file_opener: "vscode",
    notify: null,
    history: { persistence: "save-all", max_bytes: 5 },
    model_providers: { mine: { name: "Mine", env_key: null, requires_openai_auth: false } },
  });
});

test("an older client receives the shapes of its version", async () => {
  await using scene = await start({ era: "0.104" });
  const { client, server } = scene;

  const { config, origins, layers } = await read(client);

  expect(config.tools).toEqual({ web_search: true, view_image: null });
  for (const later of ["service_tier", "desktop", "browser_use", "approvals_reviewer"]) {
    expect(config).not.toHaveProperty(later);
  }
  expect(config).not.toHaveProperty("file_opener");
  expect(origins.model?.name).toEqual({ type: "user", file: join(server.home, "config.toml") });
  expect(layers).toBeUndefined();
});

test("only project-level settings of a trusted project apply", async () => {
  await using scene = await start();
  const { client, server } = scene;
  await mkdir(join(server.workspace, ".codex"));
  const project = join(server.workspace, ".codex", "config.toml");
  await writeFile(project, 'model = "of-project"\nsandbox_mode = "danger-full-access"\n');
  const params = { cwd: server.workspace, includeLayers: true };

  const distrusted = await read(client, params);
  await client.call("config/value/write", {
    keyPath: `projects.${JSON.stringify(server.workspace)}.trust_level`,
    value: "trusted",
    mergeStrategy: "replace",
  });
  const trusted = await read(client, params);

  expect(distrusted.config.model).toBe("gpt-x");
  expect(distrusted.layers?.[0]?.disabledReason).toMatch(/not a trusted project/);
  expect(trusted.config).toMatchObject({ model: "of-project", sandbox_mode: null });
  expect(trusted.origins.model?.name).toMatchObject({ type: "project" });
});

test("a write keeps the rest of the file and returns the new version", async () => {
  await using scene = await start();
  const { client, server } = scene;
  const { origins } = await read(client);

  const written = await client.call("config/value/write", {
    keyPath: "model",
    value: "gpt-y",
    mergeStrategy: "replace",
    expectedVersion: origins.model?.version,
  });

  expect(fileOf(server)).toBe(text.replace("gpt-x", "gpt-y"));
  expect(written).toEqual({
    status: "ok",
    version: (await read(client)).origins.model?.version,
    filePath: join(server.home, "config.toml"),
    overriddenMetadata: null,
  });
});

test("renewed trust covers the current servers of the project", async () => {
  await using scene = await start();
  const { client, server } = scene;
  const known = join(server.home, "quire/project-servers.json");
  await mkdir(join(server.home, "quire"), { recursive: true });
  await writeFile(known, JSON.stringify({ "/mine": { a: "1" }, "/theirs": { b: "2" } }));

  await client.call("config/value/write", {
    keyPath: 'projects."/mine".trust_level',
    value: "trusted",
    mergeStrategy: "upsert",
  });

  expect(JSON.parse(readFileSync(known, "utf8"))).toEqual({ "/theirs": { b: "2" } });
});

test("a batch of edits is applied completely or not at all", async () => {
  await using scene = await start();
  const { client, server } = scene;
  const good = { keyPath: "model", value: null, mergeStrategy: "replace" };
  const bad = { keyPath: "sandbox_mode", value: "nonsense", mergeStrategy: "replace" };
  const more = { keyPath: "tools", value: { view_image: false }, mergeStrategy: "upsert" };

  await expect(client.call("config/batchWrite", { edits: [good, bad] })).rejects.toMatchObject({
    code: -32600,
    message:
      "Invalid configuration: unknown variant `nonsense`, expected one of `read-only`, `workspace-write`, `danger-full-access`\nin `sandbox_mode`\n",
    data: { config_write_error_code: "configValidationError" },
  });
  expect(fileOf(server)).toBe(text);
  await client.call("config/batchWrite", { edits: [good, more] });

  expect((await read(client)).config).toMatchObject({ model: null });
  expect(fileOf(server)).toContain("web_search = true\nview_image = false");
});

const edit = { keyPath: "model", value: "x", mergeStrategy: "replace" };

test.each([
  [{ ...edit, expectedVersion: "sha256:stale" }, "configVersionConflict", /modified since/],
  [{ ...edit, filePath: "/elsewhere.toml" }, "configLayerReadonly", /Only writes to the user/],
  [{ ...edit, filePath: "config.toml" }, "configLayerReadonly", /Only writes to the user/],
  [{ ...edit, keyPath: " " }, "configValidationError", /^keyPath must not be empty$/],
  [{ ...edit, keyPath: "a..b" }, "configValidationError", /Expected a key .*`a\.\.b`/],
  [{ ...edit, value: [null] }, "configValidationError", /TOML has no null.*`model`/],
  [{ ...edit, value: 3 }, "configValidationError", /`model` must be a string, not 3/],
  [
    { ...edit, keyPath: "mcp_servers.a.env.K" },
    "configValidationError",
    /`mcp_servers\.a`: it needs a `command` or a `url`/,
  ],
])("%j is rejected as %s", async (params, code, message) => {
  await using scene = await start();
  const { client, server } = scene;

  await expect(client.call("config/value/write", params)).rejects.toMatchObject({
    code: -32600,
    message: expect.stringMatching(message),
    data: { config_write_error_code: code },
  });
  expect(fileOf(server)).toBe(text);
});

test("writes outside of the user's file are rejected", async () => {
  await using scene = await start();

  expect(await scene.client.call("configRequirements/read")).toEqual({
    supportsIndependentSpeedModes: true,
    requirements: null,
  });
});

test("[clients 2] ignored settings are reported once to each client, never per thread", async () => {
  await using server = await startAppServer();
  const file = join(server.home, "config.toml");
  writeFileSync(file, 'modle = "x"\nservice_tier = "fast"\n[features]\nplugins = false\n');
  const client = server.connect();
  await initialize(client);
  const told = () => client.heard.filter(({ method }) => /arning/.test(method));

  await client.until("configWarning");
  for (let count = 0; count < 3; count++) await client.call("thread/start", {});
  const config = { "features.memories": true };
  for (let count = 0; count < 3; count++) await client.call("thread/start", { config });
  await client.until("configWarning");
  const other = server.connect();
  await initialize(other);
  const { params } = await other.until("configWarning");

  const summary =
    "2 settings are ignored:\n" +
    `  ${file}:1: unknown key \`modle\`; did you mean \`model\`?\n` +
    `  ${file}:2: \`service_tier\` has no effect here`;
  const late =
    "A setting is ignored: settings of the session: `features.memories` has no effect here";
  expect(told().map((one) => one.params)).toEqual([
    { summary, details: null },
    { summary: late, details: null },
  ]);
  expect(params).toEqual({ summary, details: null });
});
