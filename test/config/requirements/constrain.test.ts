import { expect, test } from "vitest";
import type { ConfigSources } from "../../../src/config/index.js";
import { createTestHome, trusts } from "../support/home.js";

const file = "etc/requirements.toml";
const modes = 'allowed_sandbox_modes = ["read-only", "workspace-write"]\n';
const policies = 'allowed_approval_policies = ["on-request", "untrusted"]\n';

const ways: [string, (place: (name: string) => string) => Partial<Setup>][] = [
  ["the user's file", () => ({ files: { "home/config.toml": loose } })],
  ["the system's defaults", () => ({ files: { "etc/config.toml": loose } })],
  ["a profile", () => ({ files: { "home/config.toml": `profile = "p"\n[profiles.p]\n${loose}` } })],
  [
    "a trusted project",
    (path) => ({
      files: { "home/config.toml": trusts(path("work")), "work/.codex/config.toml": loose },
    }),
  ],
  ["-c", () => ({ sources: { flags: flags(loose) } })],
  [
    "settings of the session",
    () => ({
      sources: { overrides: { approval_policy: "never", sandbox_mode: "danger-full-access" } },
    }),
  ],
  [
    "policies of an op",
    () => ({
      sources: {
        policies: { approval_policy: "never", sandbox_policy: { mode: "danger-full-access" } },
      },
    }),
  ],
];

interface Setup {
  files: Record<string, string>;
  sources: Partial<ConfigSources>;
}

const loose = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"\n';

function flags(text: string) {
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const [key = "", value = ""] = line.split(" = ");
      return { path: [key], value: JSON.parse(value) as unknown };
    });
}

test.each(ways)("%s cannot loosen the policies", async (_, setup) => {
  await using machine = await createTestHome({ [file]: modes + policies });
  const { files = {}, sources = {} } = setup(machine.path);
  for (const [name, text] of Object.entries(files)) await machine.write(name, text);

  const config = await machine.load(sources);

  expect(config.approval_policy).not.toBe("never");
  expect(config.sandbox_policy.mode).not.toBe("danger-full-access");
});

test("a value that is not allowed falls back to the strictest one, with a warning each", async () => {
  await using machine = await createTestHome({
    [file]: modes + policies,
    "home/config.toml": loose,
  });

  const config = await machine.load();

  const place = `(set by ${machine.path(file)})`;
  expect(config).toMatchObject({
    approval_policy: "untrusted",
    sandbox_policy: { mode: "read-only" },
    constrained: [
      "Configured value for `approval_policy` is disallowed by requirements; falling back to " +
        "required value UnlessTrusted. Details: invalid value for `approval_policy`: `Never` is not " +
        `in the allowed set [OnRequest, UnlessTrusted] ${place}`,
      "Configured value for `sandbox_mode` is disallowed by requirements; falling back to required " +
        "value ReadOnly. Details: invalid value for `sandbox_mode`: `DangerFullAccess` is not in the " +
        `allowed set [ReadOnly, WorkspaceWrite] ${place}`,
    ],
  });
});

test("a value that is allowed stays, and nothing is reported", async () => {
  await using machine = await createTestHome({
    [file]: modes + policies,
    "home/config.toml": 'approval_policy = "on-request"\nsandbox_mode = "workspace-write"\n',
  });

  const config = await machine.load();

  expect(config).toMatchObject({
    approval_policy: "on-request",
    sandbox_policy: { mode: "workspace-write" },
    constrained: [],
  });
});

test("full access without approvals does not become a session that can only read", async () => {
  await using machine = await createTestHome({ [file]: modes, "home/config.toml": loose });

  await expect(machine.load()).rejects.toThrow(
    '`approval_policy = "never"` cannot be used because',
  );
});

test("policies of managed_config.toml hold against the session", async () => {
  await using machine = await createTestHome({
    "etc/managed_config.toml": 'approval_policy = "on-request"\nsandbox_mode = "workspace-write"\n',
    "home/config.toml": loose,
  });

  const config = await machine.load();
  const asked = await machine.load({
    policies: { approval_policy: "never", sandbox_policy: { mode: "danger-full-access" } },
  });
  const withoutFiles = await machine.load({
    ignoreFiles: true,
    policies: { approval_policy: "never" },
  });

  expect(config).toMatchObject({
    approval_policy: "on-request",
    sandbox_policy: { mode: "workspace-write" },
    constrained: [],
  });
  expect(asked).toMatchObject({
    approval_policy: "on-request",
    sandbox_policy: { mode: "read-only" },
  });
  expect(asked.constrained[0]).toContain(machine.path("etc/managed_config.toml"));
  expect(withoutFiles.approval_policy).toBe("on-request");
});

test("the two files of the administrator count together", async () => {
  await using machine = await createTestHome({
    [file]: 'allowed_approval_policies = ["on-request", "untrusted"]\n',
    "etc/managed_config.toml": 'approval_policy = "untrusted"\n',
  });

  const { requirements } = await machine.load();
  await machine.write("etc/managed_config.toml", 'approval_policy = "never"\n');

  expect(requirements?.approval.values).toEqual(["untrusted"]);
  await expect(machine.load()).rejects.toThrow("allow no approval policy together");
});

test.each<[string[], string, string | undefined]>([
  [["disabled"], "live", "disabled"],
  [["cached"], "live", "cached"],
  [["live"], "cached", "disabled"],
  [["live"], "live", "live"],
  [["indexed"], "cached", "disabled"],
])("web search limited to %j turns %s into %s", async (allowed, asked, expected) => {
  await using machine = await createTestHome({
    [file]: `allowed_web_search_modes = ${JSON.stringify(allowed)}\n`,
    "home/config.toml": `web_search = "${asked}"\n`,
  });

  const { web_search, constrained, requirements } = await machine.load();

  expect(web_search).toBe(expected);
  expect(constrained).toHaveLength(asked === expected ? 0 : 1);
  expect(requirements?.webSearch("live")).toBe(
    allowed.includes("live") ? "live" : allowed.includes("cached") ? "cached" : "disabled",
  );
});

test.each([
  ["features", "[features]\nview_image_tool = true\n"],
  ["an older name", "[features]\nview_image = true\n"],
  ["another key", "[tools]\nview_image = true\n"],
])("a fixed feature stays off, whatever %s says", async (_, text) => {
  await using machine = await createTestHome({
    [file]: "[features]\nview_image_tool = false\n",
    "home/config.toml": text,
  });

  const config = await machine.load({ overrides: { "features.view_image_tool": true } });

  expect(config.features.get("view_image_tool")).toBe(false);
  expect(config.tools.view_image).toBe(false);
  expect(config.constrained).toEqual([
    "A configured value is disallowed by requirements and has no effect: invalid value for " +
      "`features`: `features.view_image_tool=true` is not in the allowed set " +
      `[view_image_tool=false] (set by ${machine.path(file)})`,
  ]);
});

test("a fixed feature for web search limits the mode too", async () => {
  await using machine = await createTestHome({
    [file]: "[features]\nweb_search_request = false\n",
    "home/config.toml": 'web_search = "live"\n[tools]\nweb_search = true\n',
  });

  const config = await machine.load();

  expect(config).toMatchObject({ web_search: "cached", tools: { web_search: false } });
});

test("exact values replace those of all layers", async () => {
  await using machine = await createTestHome({
    [file]:
      'cli_auth_credentials_store = "ephemeral"\nchatgpt_base_url = "https://corp.example"\n' +
      'allowed_login_methods = ["api"]\nadditional_developer_instructions = "Be careful."\n',
    "home/config.toml":
      'cli_auth_credentials_store = "file"\nforced_login_method = "chatgpt"\n' +
      'developer_instructions = "Be quick."\n',
  });

  const config = await machine.load({ overrides: { chatgpt_base_url: "https://other.example" } });

  expect(config).toMatchObject({
    cli_auth_credentials_store: "ephemeral",
    chatgpt_base_url: "https://corp.example",
    forced_login_method: "api",
    developer_instructions: "Be quick.\n\nBe careful.",
  });
  expect(config.constrained).toHaveLength(3);
});

const servers = `
[mcp_servers.docs]
command = "npx"
args = ["docs", "--port=1"]
[mcp_servers.web]
url = "https://mcp.example/v1"
`;

test.each<[string, string, string[]]>([
  ["no server", "[mcp_servers]\n", []],
  ["a command", '[mcp_servers.docs]\nidentity = { command = "npx" }\n', ["docs"]],
  ["the command under another name", '[mcp_servers.other]\nidentity = { command = "npx" }\n', []],
  ["another command", '[mcp_servers.docs]\nidentity = { command = "node" }\n', []],
  ["a URL for a command", '[mcp_servers.docs]\nidentity = { url = "npx" }\n', []],
  ["a URL", '[mcp_servers.web]\nidentity = { url = "https://mcp.example/v1" }\n', ["web"]],
  [
    "a URL by its beginning",
    '[mcp_servers.web.identity]\nurl = { match = "prefix", value = "https://mcp.example/" }\n',
    ["web"],
  ],
  [
    "an expression that matches a part only",
    '[mcp_servers.web.identity]\nurl = { match = "regex", expression = "mcp|https://mcp" }\n',
    [],
  ],
  [
    "a command with its arguments",
    '[mcp_servers.docs.identity]\ncommand = { executable = "npx", args = [{ match = "exact", value = "docs" }, { match = "regex", expression = "--port=\\\\d+" }] }\n',
    ["docs"],
  ],
  [
    "a command with fewer arguments",
    '[mcp_servers.docs.identity]\ncommand = { executable = "npx", args = [{ match = "exact", value = "docs" }] }\n',
    [],
  ],
])("a list with %s starts only what it lists", async (_, text, started) => {
  await using machine = await createTestHome({ [file]: text, "home/config.toml": servers });

  const { mcp_servers, constrained } = await machine.load();

  const enabled = [...mcp_servers.values()].filter((server) => server.enabled);
  expect(enabled.map(({ name }) => name)).toEqual(started);
  expect(mcp_servers.size).toBe(2);
  expect(constrained).toHaveLength(2 - started.length);
});
