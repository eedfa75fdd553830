import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { eraNamed } from "../../src/compat/index.js";
import { fileShape } from "../../src/config/check/shape.generated.js";
import type { Shape } from "../../src/config/check/shape.js";
import { configBehaviors, ignoredText, parseOverride } from "../../src/config/index.js";
import { modelPresets } from "../../src/model/presets.js";
import { createTestHome, trusts } from "./support/home.js";

test("without any file the defaults hold", async () => {
  await using machine = await createTestHome();

  const config = await machine.load();

  expect(config).toMatchObject({
    home: machine.home,
    cwd: machine.path("work"),
    model: "gpt-6.1-sol",
    review_model: "gpt-6.1-sol",
    approval_policy: "on-request",
    sandbox_policy: { mode: "read-only" },
    policies_are_defaults: true,
    model_reasoning_summary: "auto",
    chatgpt_base_url: "https://chatgpt.com/backend-api/",
    project_doc_max_bytes: 32_768,
    project_root_markers: [".git"],
    file_opener: "vscode",
    history: { persistence: "save-all" },
    tools: { web_search: false, view_image: true },
    shell_environment_policy: { inherit: "all", ignore_default_excludes: false, exclude: [] },
    log_dir: machine.path("home/log"),
    warnings: [],
  });
  expect(config.provider).toMatchObject({ id: "openai", wire_api: "responses" });
  expect([...config.mcp_servers]).toEqual([]);
});

describe("which of several sources wins", () => {
  const files = {
    "etc/config.toml": 'model = "system"\nreview_model = "system"\nmodel_verbosity = "low"\n',
    "home/config.toml":
      'model = "user"\nmodel_verbosity = "medium"\nprofile = "p"\n[profiles.p]\nmodel = "table"\n',
  };

  test("the user's file comes before that of the machine", async () => {
    await using machine = await createTestHome(files);

    const config = await machine.load();

    expect(config).toMatchObject({ review_model: "system", model_verbosity: "medium" });
  });

  test("the profile comes before the user's file, and its own file before its table", async () => {
    await using machine = await createTestHome(files);
    const table = await machine.load();
    await machine.write("home/p.config.toml", 'model = "file"\n');
    const file = await machine.load();

    expect([table.profile, table.model, file.model]).toEqual(["p", "table", "file"]);
  });

  test("the profile also comes before the file of a trusted project", async () => {
    await using machine = await createTestHome(files);
    await machine.write(
      "home/config.toml",
      files["home/config.toml"] + trusts(machine.path("work")),
    );
    await machine.write("work/.codex/config.toml", 'model = "project"\nmodel_verbosity = "high"\n');

    const config = await machine.load();

    expect(config).toMatchObject({ model: "table", model_verbosity: "high" });
  });

  test("a flag comes before the profile, what the caller asks for before a flag", async () => {
    await using machine = await createTestHome(files);
    const flags = [await parseOverride("model=flag"), await parseOverride("review_model=flag")];

    const config = await machine.load({ flags, overrides: { model: "call" } });

    expect(config).toMatchObject({ model: "call", review_model: "flag" });
  });

  test("the administrator's file comes before all", async () => {
    await using machine = await createTestHome({
      ...files,
      "etc/managed_config.toml": 'model = "managed"\n',
    });

    expect(await machine.load({ overrides: { model: "call" } })).toMatchObject({
      model: "managed",
    });
  });

  test("the file nearest to the working folder comes before those above it", async () => {
    await using machine = await createTestHome({ "repo/.git/HEAD": "ref: refs/heads/main" });
    await machine.write("home/config.toml", trusts(machine.path("repo")));
    await machine.write("repo/.codex/config.toml", 'model = "top"\nreview_model = "top"\n');
    await machine.write("repo/a/b/.codex/config.toml", 'model = "near"\n');

    const config = await machine.load({ cwd: machine.path("repo/a/b") });

    expect(config).toMatchObject({ model: "near", review_model: "top" });
  });

  test("tables are merged key by key, lists are replaced", async () => {
    await using machine = await createTestHome({
      "etc/config.toml":
        'notify = ["a", "b"]\n[shell_environment_policy]\nexclude = ["A*", "B*"]\ninherit = "core"\n',
      "home/config.toml": 'notify = ["c"]\n[shell_environment_policy]\nexclude = ["C*"]\n',
    });

    const config = await machine.load();

    expect(config.notify).toEqual(["c"]);
    expect(config.shell_environment_policy).toMatchObject({ exclude: ["C*"], inherit: "core" });
  });
});

describe("settings of the caller", () => {
  test("have names with dots, tables as values, and null for nothing", async () => {
    await using machine = await createTestHome({ "home/config.toml": 'model = "user"\n' });

    const config = await machine.load({
      overrides: {
        model: null,
        "model_providers.mock": { name: "Mock" },
        "model_providers.mock.base_url": "http://127.0.0.1:1/v1",
        model_provider: "mock",
        "tui.notifications": ["a"],
      },
    });

    expect(config).toMatchObject({ model: "user", tui: { notifications: ["a"] } });
    expect(config.provider).toMatchObject({ name: "Mock", base_url: "http://127.0.0.1:1/v1" });
  });

  test("are checked like a file", async () => {
    await using machine = await createTestHome();
    const flags = [await parseOverride("hide_agent_reasoning=maybe")];

    await expect(machine.load({ flags })).rejects.toThrow(
      '-c: `hide_agent_reasoning` must be true or false, not "maybe"',
    );
    await expect(machine.load({ overrides: { "tui.animations": 1 } })).rejects.toThrow(
      "settings of the session: `tui.animations` must be true or false, not 1",
    );
  });

  test("add folders that can be written, where writing is allowed", async () => {
    await using machine = await createTestHome({
      "home/config.toml": '[sandbox_workspace_write]\nwritable_roots = ["/opt", "~/x", "rel"]\n',
    });
    const more = { writableRoots: ["/opt", "/srv"] };

    const writing = await machine.load({ ...more, overrides: { sandbox_mode: "workspace-write" } });
    const reading = await machine.load(more);

    expect(writing.sandbox_policy).toEqual({
      mode: "workspace-write",
      writable_roots: ["/opt", machine.path("x"), machine.path("home/rel"), "/srv"],
      network_access: false,
      exclude_tmpdir_env_var: false,
      exclude_slash_tmp: false,
    });
    expect(reading.sandbox_policy).toEqual({ mode: "read-only" });
  });
});

describe("a mistake in a file", () => {
  test("of the type of a value is reported with file, line, key and expectation", async () => {
    await using machine = await createTestHome();
    const file = await machine.write(
      "home/config.toml",
      'model = "x"\n\n[model_providers.a]\nname = "A"\nrequest_max_retries = "many"\n[tui]\nnotifications = 3\n',
    );

    await expect(machine.load()).rejects.toMatchObject({
      code: "config",
      message: [
        `${file}:5: \`model_providers.a.request_max_retries\` must be a whole number of at least 0, not "many"`,
        `${file}:7: \`tui.notifications\` must be true or false or a list of strings, not 3`,
      ].join("\n"),
      data: { key: ["model_providers", "a", "request_max_retries"], line: 5, got: '"many"' },
    });
  });

  test("of an unknown value is reported with the allowed ones", async () => {
    await using machine = await createTestHome();
    const file = await machine.write("home/config.toml", 'sandbox_mode = "nonsense"\n');

    await expect(machine.load()).rejects.toThrow(
      `${file}:1: \`sandbox_mode\` must be one of read-only, workspace-write, danger-full-access, not "nonsense"`,
    );
  });

  test("of TOML is reported with line and column", async () => {
    await using machine = await createTestHome();
    const file = await machine.write("home/config.toml", 'model = "x"\nmodel_provider = \n');

    await expect(machine.load()).rejects.toMatchObject({
      code: "config",
      message: expect.stringMatching(`^${file}:2:18: `),
      data: { reason: "parse", line: 2, column: 18 },
    });
  });

  test("of its bytes or permissions is reported", async () => {
    await using machine = await createTestHome({ "home/config.toml": "" });
    const { writeFile, mkdir } = await import("node:fs/promises");
    await writeFile(machine.path("home/config.toml"), Buffer.from([0x61, 0xff]));

    await expect(machine.load()).rejects.toThrow("config.toml: it is not UTF-8 text");
    await mkdir(machine.path("etc/config.toml"), { recursive: true });
    await expect(machine.load()).rejects.toThrow("config.toml: it is a folder");
  });

  test.skipIf(process.getuid?.() === 0)("of permissions is reported", async () => {
    await using machine = await createTestHome({ "home/config.toml": "" });
    await chmod(machine.path("home/config.toml"), 0);

    await expect(machine.load()).rejects.toThrow("config.toml: you may not read it");
  });

  test("[clients 2] in the name of a key is reported with the nearest key, all in one message", async () => {
    await using machine = await createTestHome();
    const file = await machine.write(
      "home/config.toml",
      'modle = "x"\n[features]\nunified_exce = true\n[profiles.p]\nnothing_like_it_at_all = 1\n',
    );

    const { warnings, ignored } = await machine.load();

    expect(warnings).toEqual([]);
    expect(ignoredText(ignored)).toBe(
      [
        "3 settings are ignored:",
        `  ${file}:1: unknown key \`modle\`; did you mean \`model\`?`,
        `  ${file}:3: unknown key \`features.unified_exce\`; did you mean \`features.unified_exec\`?`,
        `  ${file}:5: unknown key \`profiles.p.nothing_like_it_at_all\``,
      ].join("\n"),
    );
  });

  test("[clients 2] a key of the reference is reported only if it requests a missing feature", async () => {
    await using machine = await createTestHome();
    const file = await machine.write(
      "home/config.toml",
      [
        'service_tier = "fast"',
        "include_environment_context = true",
        "check_for_update_on_startup = false",
        "desktop = { anything = 1 }",
        "[features]",
        "plugins = false",
        "artifact = true",
        "steer = true",
        "tui_app_server = true",
        "multi_agent_v2 = { enabled = false }",
        "[skills]",
        "include_instructions = false",
        "[apps.one]",
        "enabled = false",
        "[memories]",
        "[tui.keymap.global]",
        'copy = "ctrl-y"',
      ].join("\n"),
    );

    expect((await machine.load()).ignored).toEqual([
      `${file}:1: \`service_tier\` has no effect here`,
      `${file}:7: \`features.artifact\` has no effect here`,
      `${file}:12: \`skills.include_instructions\` has no effect here`,
    ]);
  });

  test("[clients 2] every key and feature of 0.166 is known", async () => {
    const names = JSON.parse(
      await readFile(join(import.meta.dirname, "fixtures/keys-166.json"), "utf8"),
    ) as string[];

    const unknown = names.filter((name) => !isKnown(name.split(".")));

    expect(names.length).toBeGreaterThan(600);
    expect(unknown).toEqual([]);
  });
});

/** Returns true if the file can have a key, or an open table above it. */
function isKnown(path: readonly string[], shape: Shape = fileShape): boolean {
  const [key, ...rest] = path;
  const inner = shape.anyOf?.find((one) => one.keys ?? one.entries ?? one.items) ?? shape;
  if (key === undefined || inner.any || inner.open) return true;
  const at = key === "[]" ? inner.items : (inner.keys?.[key] ?? inner.entries);
  return at !== undefined && isKnown(rest, at);
}

describe("profiles and providers", () => {
  test("a profile that is not there is an error that names those that are", async () => {
    await using machine = await createTestHome({
      "home/config.toml": "[profiles.a]\n[profiles.b]\n",
    });

    await expect(machine.load({ overrides: { profile: "c" } })).rejects.toThrow(
      "config profile `c` not found; there are a, b",
    );
    await expect(machine.load({ overrides: { profile: "../home/x" } })).rejects.toThrow(
      "config profile `../home/x` not found",
    );
  });

  test("a provider of the user's replaces the preset of a vendor", async () => {
    await using machine = await createTestHome({
      "home/config.toml":
        '[model_providers.anthropic]\nwire_api = "chat"\nbase_url = "http://own/v1"\n',
    });

    const { providers } = await machine.load();

    expect(providers.get("anthropic")).toMatchObject({
      wire_api: "chat",
      base_url: "http://own/v1",
    });
    expect(providers.get("gemini")).toMatchObject({
      wire_api: "gemini",
      env_key: "GEMINI_API_KEY",
    });
  });

  test("a provider of the user's does not replace a built-in one", async () => {
    await using machine = await createTestHome({
      "home/config.toml":
        '[model_providers.openai]\nbase_url = "http://evil"\n[model_providers.own]\nrequest_max_retries = 1000\nexperimental_bearer_token = "t"\nstore = true\n',
    });

    const { provider, providers } = await machine.load();

    expect(provider.base_url).toBeUndefined();
    expect([...providers.keys()]).toEqual([
      "openai",
      "oss",
      "ollama",
      "lmstudio",
      "own",
      "anthropic",
      "gemini",
    ]);
    expect(providers.get("own")).toEqual({
      id: "own",
      name: "own",
      wire_api: "responses",
      request_max_retries: 100,
      stream_max_retries: 5,
      stream_idle_timeout_ms: 300_000,
      requires_openai_auth: false,
      store: true,
      http_headers: { Authorization: "Bearer t" },
    });
  });

  test("a provider that is not there is an error that names those that are", async () => {
    await using machine = await createTestHome({ "home/config.toml": 'model_provider = "x"\n' });

    await expect(machine.load()).rejects.toThrow(
      "Model provider `x` not found. Known are: openai, oss, ollama, lmstudio",
    );
  });

  test("local servers are at the address of the environment", async () => {
    await using machine = await createTestHome();
    const env = {
      ...machine.sources.env,
      CODEX_OSS_PORT: "99",
      OPENAI_BASE_URL: "http://proxy/v1",
    };

    const { providers } = await machine.load({ env });

    expect(providers.get("lmstudio")?.base_url).toBe("http://localhost:99/v1");
    expect(providers.get("openai")?.base_url).toBe("http://proxy/v1");
  });
});

describe("MCP servers", () => {
  test.each([
    ['command = "x"\nurl = "http://y"\n', "url is not supported for stdio"],
    ['url = "http://y"\nargs = ["a"]\n', "args is not supported for streamable_http"],
    ['url = "http://y"\nbearer_token = "t"\n', "bearer_token is not supported for streamable_http"],
    ["enabled = false\n", "it needs a `command` or a `url`"],
  ])("with %j are an error that says where and why", async (toml, reason) => {
    await using machine = await createTestHome();
    const file = await machine.write(
      "home/config.toml",
      `model = "x"\n[mcp_servers.docs]\n${toml}`,
    );

    await expect(machine.load()).rejects.toThrow(`${file}:2: mcp_servers.docs: ${reason}`);
  });

  test("have what they do not say filled in", async () => {
    await using machine = await createTestHome({
      "home/config.toml":
        '[mcp_servers.a]\ncommand = "x"\nstartup_timeout_ms = 2500\n[mcp_servers.b]\nurl = "http://y"\nstartup_timeout_sec = 1.5\ntool_timeout_sec = 3\nenabled = false\n',
    });

    const { mcp_servers } = await machine.load();

    expect(mcp_servers.get("a")).toEqual({
      name: "a",
      transport: { type: "stdio", command: "x", args: [], env: {}, env_vars: [], cwd: undefined },
      enabled: true,
      required: false,
      startup_timeout_ms: 2500,
      tool_timeout_ms: undefined,
      enabled_tools: undefined,
      disabled_tools: undefined,
      scopes: undefined,
      fromProject: false,
    });
    expect(mcp_servers.get("b")).toMatchObject({
      transport: { type: "streamable_http", url: "http://y" },
      enabled: false,
      startup_timeout_ms: 1500,
      tool_timeout_ms: 3000,
    });
  });
});

describe("older names", () => {
  test("mean the same as the newer ones, which win in one file but not in a weaker one", async () => {
    await using machine = await createTestHome({
      "etc/config.toml": "[features]\nunified_exec = false\nweb_search_request = true\n",
      "home/config.toml":
        "experimental_use_unified_exec_tool = true\n[tools]\nweb_search = false\nweb_search_request = true\n",
    });

    const { features, tools, web_search } = await machine.load();

    expect(features.get("unified_exec")).toBe(true);
    expect([tools.web_search, web_search]).toEqual([true, "live"]);
  });

  test("of files with instructions work, relative to the file that names them", async () => {
    await using machine = await createTestHome({
      "home/config.toml":
        'experimental_instructions_file = "base.md"\nexperimental_compact_prompt_file = "~/compact.md"\n',
      "home/base.md": " be brief \n",
      "compact.md": "sum up",
    });

    const config = await machine.load();

    expect(config).toMatchObject({ base_instructions: "be brief", compact_prompt: "sum up" });
  });

  test("of files that are empty or missing are an error", async () => {
    await using machine = await createTestHome({
      "home/config.toml": 'model_instructions_file = "base.md"\n',
    });

    await expect(machine.load()).rejects.toThrow("cannot read");
    await machine.write("home/base.md", "\n");
    await expect(machine.load()).rejects.toThrow("base.md is empty");
  });
});

test("an era changes the defaults to those of its version", async () => {
  await using machine = await createTestHome({ "home/config.toml": "[model_providers.x]\n" });

  const older = await machine.load({ behavior: configBehaviors["2025-10"] });

  expect(older).toMatchObject({ review_model: "gpt-5-codex", tui: { notifications: false } });
  expect(older.providers.get("x")?.wire_api).toBe("chat");
});

test.each(["responses", "chat"])("[embedding B9] a provider can have the API `%s`", async (api) => {
  const text = `[model_providers.x]\nwire_api = "${api}"\n`;
  await using machine = await createTestHome({ "home/config.toml": text });

  expect((await machine.load()).providers.get("x")?.wire_api).toBe(api);
  expect(await readFile("docs/configuration.md", "utf8")).toMatch(
    new RegExp(`^\\| \`wire_api\` \\|[^|]*\`${api}\``, "m"),
  );
});

test("a home that CODEX_HOME names must exist", async () => {
  await using machine = await createTestHome();
  const env = { HOME: machine.root, CODEX_HOME: machine.path("nowhere") };

  await expect(machine.load({ env })).rejects.toThrow("which is not a directory");
  await expect(machine.load({ env: { HOME: machine.root } })).resolves.toMatchObject({
    home: machine.path(".codex"),
  });
});

test("files can be left aside to go on when one has a mistake", async () => {
  await using machine = await createTestHome({ "home/config.toml": "model = [broken" });

  const config = await machine.load({ ignoreFiles: true, overrides: { review_model: "r" } });

  expect(config).toMatchObject({ model: "gpt-6.1-sol", review_model: "r", warnings: [] });
});

test("[terminal B6] the default model is the first one that the catalogue offers", async () => {
  await using machine = await createTestHome();
  const catalogue = eraNamed("current")?.model.catalogue ?? "2025-09";

  const { model } = await machine.load();

  expect(model).toBe(modelPresets(catalogue).find(({ hidden }) => !hidden)?.id);
});

test.each([
  ["2025-09", "gpt-5"],
  ["2025-10", "gpt-5-codex"],
  ["2026-02", "gpt-5.2-codex"],
  ["2026-11", "gpt-6.1-sol"],
] as const)("[terminal B6] the settings of %s keep their default model", async (name, expected) => {
  await using machine = await createTestHome();

  const { model } = await machine.load({ behavior: configBehaviors[name] });

  expect(model).toBe(expected);
});

test("[clients 2] keys that the terminal UI of 0.166 writes are not reported", async () => {
  await using machine = await createTestHome();
  const text = "[tui]\nscreen_reader_detection_done = true\nmouse_scroll_speed = 2\n";
  const file = await machine.write("home/config.toml", text);

  expect((await machine.load()).ignored).toEqual([
    `${file}:3: \`tui.mouse_scroll_speed\` has no effect here`,
  ]);
});
