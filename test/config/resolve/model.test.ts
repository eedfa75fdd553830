import { describe, expect, test } from "vitest";
import { createTestHome } from "../support/home.js";

describe("providers", () => {
  test("that are built in cannot be changed", async () => {
    await using machine = await createTestHome({
      "home/config.toml": '[model_providers.openai]\nname = "evil"\nbase_url = "http://evil"\n',
    });
    const { provider } = await machine.load();

    expect(provider).toMatchObject({ id: "openai", name: "OpenAI", requires_openai_auth: true });
    expect(provider.base_url).toBeUndefined();
  });

  test.each([
    ["", {}, undefined],
    ['openai_base_url = " http://a "', {}, "http://a"],
    ['openai_base_url = "http://a"', { OPENAI_BASE_URL: "http://b" }, "http://b"],
    ["", { OPENAI_BASE_URL: " " }, undefined],
  ])("openai with %j and %j is at %s", async (text, env, base_url) => {
    await using machine = await createTestHome({ "home/config.toml": text });
    const { provider } = await machine.load({ env: { ...machine.sources.env, ...env } });

    expect(provider.base_url).toBe(base_url);
  });

  test.each([
    ["ollama", {}, "http://localhost:11434/v1"],
    ["lmstudio", {}, "http://localhost:1234/v1"],
    ["oss", { CODEX_OSS_PORT: "99" }, "http://localhost:99/v1"],
    ["oss", { CODEX_OSS_PORT: "x" }, "http://localhost:11434/v1"],
    ["ollama", { CODEX_OSS_BASE_URL: "http://o/v1" }, "http://o/v1"],
  ])("%s with %j is at %s", async (id, env, base_url) => {
    await using machine = await createTestHome({ "home/config.toml": `model_provider = "${id}"` });
    const { provider } = await machine.load({ env: { ...machine.sources.env, ...env } });

    expect(provider).toMatchObject({ id, base_url, requires_openai_auth: false });
  });

  test("of the user have defaults, and at most 100 retries", async () => {
    await using machine = await createTestHome({
      "home/config.toml": [
        'model_provider = "mine"',
        "[model_providers.mine]",
        "request_max_retries = 1000",
        'experimental_bearer_token = "t"',
        'http_headers = { A = "b" }',
      ].join("\n"),
    });
    const { provider } = await machine.load();

    expect(provider).toMatchObject({
      id: "mine",
      name: "mine",
      wire_api: "responses",
      request_max_retries: 100,
      stream_max_retries: 5,
      http_headers: { A: "b", Authorization: "Bearer t" },
    });
    expect(provider).not.toHaveProperty("experimental_bearer_token");
  });

  test("that do not exist are an error with the known ones", async () => {
    await using machine = await createTestHome({ "home/config.toml": 'model_provider = "x"' });

    await expect(machine.load()).rejects.toThrow(
      "Model provider `x` not found. Known are: openai, oss, ollama, lmstudio",
    );
  });
});

describe("instructions", () => {
  test("of files are read and trimmed, relative to their file", async () => {
    await using machine = await createTestHome({
      "home/config.toml":
        'model_instructions_file = "base.md"\nexperimental_compact_prompt_file = "compact.md"\n',
      "home/base.md": "\n Be brief. \n",
      "home/compact.md": "Summarize.",
    });

    expect(await machine.load()).toMatchObject({
      base_instructions: "Be brief.",
      compact_prompt: "Summarize.",
    });
  });

  test("of the compact prompt come from the key before the file", async () => {
    await using machine = await createTestHome({
      "home/config.toml":
        'compact_prompt = "inline"\nexperimental_compact_prompt_file = "none.md"\n',
    });

    expect((await machine.load()).compact_prompt).toBe("inline");
  });
});

test("settings have the values of all files with defaults, without resolving", async () => {
  await using machine = await createTestHome({
    "etc/config.toml": 'model_verbosity = "low"\nproject_doc_max_bytes = 5\n',
    "home/config.toml": 'personality = "friendly"\n[tui]\ntheme = "t"\n',
  });
  const { settings } = await machine.load({ overrides: { model_verbosity: "high" } });

  expect(settings).toMatchObject({
    model_verbosity: "high",
    project_doc_max_bytes: 5,
    personality: "friendly",
    tui: { theme: "t" },
    model_provider: "openai",
    project_root_markers: [".git"],
  });
  expect(settings.review_model).toBeUndefined();
});
