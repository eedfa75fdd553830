import { mkdir, symlink } from "node:fs/promises";
import { expect, test } from "vitest";
import { checkHooks, loadHooks } from "../../src/hooks/index.js";
import type { HookSource } from "../../src/protocol/hook-source.js";
import { createTestHome, trusts } from "../config/support/home.js";

const command = { type: "command", command: "true" };

/** Hashes of the reference for the same hooks. */
test.each<[string, object, string]>([
  [
    "a command",
    { PreToolUse: [{ hooks: [command] }] },
    "a7de97b60e1412f8e936f33ad7e97c04dfe69190d43e61d14c46265643383835",
  ],
  [
    "a matcher, a time limit and a status message",
    { PreToolUse: [{ matcher: "Bash", hooks: [{ ...command, timeout: 5, statusMessage: "hi" }] }] },
    "55c360d2d4f604fdb6d7ca4fa9cb3d131f7a5e6f973bb4b984e4b1afc668ab03",
  ],
  [
    "the short time limit of SessionEnd",
    { SessionEnd: [{ hooks: [command] }] },
    "3a77f6214a1fc904ec3c34db73f74db5d254ba7cfe462739bd9d37a130a2839f",
  ],
  [
    "the longest time limit of SessionEnd",
    { SessionEnd: [{ hooks: [{ ...command, timeout: 10 }] }] },
    "0408973db4c606ef0b942b13de03431201c09e7746a6fbf2d078370f1af83d68",
  ],
  [
    "async at SessionEnd",
    { SessionEnd: [{ hooks: [{ ...command, async: true }] }] },
    "d4fc5d4429a0f4d581df860df4c66fc713fc8b34fb0b8805326c7d690771093e",
  ],
  [
    "a matcher where the event ignores it",
    { Stop: [{ matcher: "x", hooks: [command] }] },
    "2ba34c7a02841fada06b868a093d041fd3d9de81883c789a321916b0aa118851",
  ],
  [
    "a limit of context",
    { UserPromptSubmit: [{ hooks: [{ ...command, additionalContextLimit: 100 }] }] },
    "a8fc042560e97cbb642b478ce9b3fdb5591428a7367bade0cd90e96c4695cc2a",
  ],
  [
    "the usual limit of context",
    { PreToolUse: [{ hooks: [{ ...command, additionalContextLimit: 2500 }] }] },
    "a7de97b60e1412f8e936f33ad7e97c04dfe69190d43e61d14c46265643383835",
  ],
  [
    "no limit of context",
    { PreToolUse: [{ hooks: [{ ...command, additionalContextLimit: 0 }] }] },
    "b83fcb70e3fc051d1c098a827831ec8ed8bde267ea557f6666dc2d4b4ba78182",
  ],
  [
    "an empty matcher",
    { PreToolUse: [{ matcher: "", hooks: [command] }] },
    "189a2dab8752eb65ee6809aee40155c040acb4f3337fadc048710db013ee4436",
  ],
  [
    "an MCP tool with input",
    {
      PreToolUse: [
        {
          hooks: [{ type: "mcp_tool", server: "tiny", tool: "echo", input: { text: "from hook" } }],
        },
      ],
    },
    "1eaca7380391e677d39f35b2b66beb25b56f3860c1a3255497e70fea245f5994",
  ],
  [
    "an MCP tool without input",
    { PreToolUse: [{ hooks: [{ type: "mcp_tool", server: "tiny", tool: "echo" }] }] },
    "a7b2807149c49e126ee2327241e044f61fa0fcfe16274ffd9ab8fcd2e8645939",
  ],
  [
    "an async command of Interrupt",
    { Interrupt: [{ hooks: [{ ...command, async: true }] }] },
    "32080e64b803f2e0249294bf70b4fc4756594330f7507bffbbf849d0d38f93d6",
  ],
])("the hash of %s is that of the reference", (_, hooks, hash) => {
  expect(loadHooks([source({ hooks })], {}).hooks[0]?.currentHash).toBe(`sha256:${hash}`);
});

test("what we add is a part of the hash", () => {
  const hooks = [
    command,
    { ...command, on_failure: "deny" },
    { ...command, on_failure: "continue" },
  ];

  const hashes = loadHooks([source({ hooks: { PreToolUse: [{ hooks }] } })], {}).hooks.map(
    ({ currentHash }) => currentHash,
  );

  expect(hashes[1]).not.toBe(hashes[0]);
  expect(hashes[2]).toBe(hashes[0]);
});

test("hooks are numbered by event, and then as declared", () => {
  const both = [{ hooks: [command, command] }, { hooks: [command] }];
  const { hooks } = loadHooks([source({ hooks: { Stop: both, PreToolUse: both } })], {});

  expect(hooks.map(({ key, displayOrder }) => `${displayOrder} ${key}`)).toEqual([
    "0 /h/hooks.json:pre_tool_use:0:0",
    "1 /h/hooks.json:pre_tool_use:0:1",
    "2 /h/hooks.json:pre_tool_use:1:0",
    "3 /h/hooks.json:stop:0:0",
    "4 /h/hooks.json:stop:0:1",
    "5 /h/hooks.json:stop:1:0",
  ]);
});

const hash = "sha256:a7de97b60e1412f8e936f33ad7e97c04dfe69190d43e61d14c46265643383835";

test.each<[string, object, object]>([
  ["untrusted without an entry", {}, { trustStatus: "untrusted", isEnabled: true }],
  ["trusted by its hash", { trusted_hash: hash }, { trustStatus: "trusted", isEnabled: true }],
  ["modified by another", { trusted_hash: "sha256:0" }, { trustStatus: "modified" }],
  [
    "disabled on request",
    { trusted_hash: hash, enabled: false },
    { trustStatus: "trusted", isEnabled: false },
  ],
])("a hook is %s", (_, state, expected) => {
  const hooks = { PreToolUse: [{ hooks: [command] }] };

  const loaded = loadHooks([source({ hooks })], { "/h/hooks.json:pre_tool_use:0:0": state });

  expect(loaded.hooks).toMatchObject([expected]);
});

test("a managed hook needs no trust and cannot be disabled", () => {
  const managed = { ...source({ hooks: { Stop: [{ hooks: [command] }] } }), isManaged: true };

  const { hooks } = loadHooks([managed], { "/h/hooks.json:stop:0:0": { enabled: false } });

  expect(hooks).toMatchObject([{ trustStatus: "managed", isEnabled: true }]);
});

function inGroup(handler: object): object {
  return { hooks: { PreToolUse: [{ hooks: [handler] }] } };
}

test.each<[string, unknown, string]>([
  ["no object", [], 'expected an object such as {"hooks": {"PreToolUse": […]}} (got [])'],
  ["an unknown key of the file", { hooks: {}, y: 1 }, "`y`: unknown key"],
  [
    "an unknown event",
    { hooks: { PreTolUse: [] } },
    "`hooks.PreTolUse`: unknown event (did you mean PreToolUse?)",
  ],
  ["an event that is no list", { hooks: { Stop: {} } }, "`hooks.Stop`: expected a list"],
  [
    "a group with an unknown key",
    { hooks: { Stop: [{ if: 1 }] } },
    "`hooks.Stop[0].if`: unknown key",
  ],
  [
    "a matcher that is no text",
    { hooks: { Stop: [{ matcher: 5 }] } },
    "`hooks.Stop[0].matcher`: expected a string (got 5)",
  ],
  [
    "a matcher that is no expression",
    { hooks: { PreToolUse: [{ matcher: "[" }] } },
    "`hooks.PreToolUse[0].matcher`: expected a regular expression",
  ],
  [
    "an unknown kind",
    inGroup({ type: "shell" }),
    '`hooks.PreToolUse[0].hooks[0].type`: expected one of "command", "mcp_tool", "http" (got "shell")',
  ],
  [
    "no kind",
    inGroup({ command: "true" }),
    'expected one of "command", "mcp_tool", "http" (got nothing)',
  ],
  [
    "a prompt that should block",
    inGroup({ type: "prompt", prompt: "?" }),
    '"prompt" hooks are not supported',
  ],
  ["an agent that should block", inGroup({ type: "agent" }), '"agent" hooks are not supported'],
  [
    "an empty command",
    inGroup({ type: "command", command: "  " }),
    '.command`: expected a text that is not empty (got "  ")',
  ],
  [
    "a command that cannot be started",
    inGroup({ type: "command", command: "exit 2\0" }),
    '.command`: expected a text without NUL (got "exit 2\\u0000")',
  ],
  [
    "an unknown key of a command",
    inGroup({ ...command, timeuot: 1 }),
    ".timeuot`: unknown key (did you mean timeout?)",
  ],
  [
    "a time limit as text",
    inGroup({ ...command, timeout: "5" }),
    '.timeout`: expected a whole number of seconds (got "5")',
  ],
  [
    "a negative time limit",
    inGroup({ ...command, timeout: -1 }),
    ".timeout`: expected a whole number of seconds (got -1)",
  ],
  [
    "a group without handlers",
    { hooks: { PreToolUse: [{ matcher: "Bash" }] } },
    "`hooks.PreToolUse[0].hooks`: expected a list of handlers (got nothing)",
  ],
  [
    "a wrong on_failure",
    inGroup({ ...command, on_failure: "block" }),
    '.on_failure`: expected "deny" or "continue" (got "block")',
  ],
  [
    "deny where nothing can be denied",
    { hooks: { SessionEnd: [{ hooks: [{ ...command, on_failure: "deny" }] }] } },
    '"deny" has no effect',
  ],
  [
    "an MCP tool without a server",
    inGroup({ type: "mcp_tool", tool: "x" }),
    ".server`: expected a text that is not empty (got nothing)",
  ],
  [
    "an MCP tool with null",
    inGroup({ type: "mcp_tool", server: "s", tool: "x", input: { a: null } }),
    ".input`: expected a table of JSON values",
  ],
  [
    "a URL that is none",
    inGroup({ type: "http", url: "ftp://x" }),
    '.url`: expected an http or https URL (got "ftp://x")',
  ],
  [
    "headers that are no texts",
    inGroup({ type: "http", url: "http://x", headers: { a: 1 } }),
    ".headers`: expected a table of strings",
  ],
])("%s is an error", (_, content, message) => {
  expect(() => loadHooks([source(content)], {})).toThrow(message);
});

test("all problems are reported at once, with a remedy", () => {
  const content = { hooks: { Stop: 1, Halt: [] }, more: true };

  const { problems } = checkHooks([source(content)], {});

  expect(problems).toHaveLength(3);
  expect(() => loadHooks([source(content)], {})).toThrow("`features.hooks = false`");
});

test("what only observes is skipped or adapted with a warning", () => {
  const hooks = {
    SessionEnd: [{ hooks: [{ type: "prompt" }, { ...command, timeout: 9, async: true }] }],
    Stop: [{ hooks: [{ ...command, additionalContextLimit: 5, timeout: 0 }] }],
  };

  const loaded = loadHooks([source({ hooks })], {});

  expect(loaded.hooks).toMatchObject([
    { event: "SessionEnd", timeoutSec: 3, isAsync: false },
    { event: "Stop", timeoutSec: 1, additionalContextLimit: undefined },
  ]);
  expect(loaded.warnings).toHaveLength(4);
});

test("hooks are read from all folders, in the order of the layers", async () => {
  const json = JSON.stringify({ hooks: { Stop: [{ hooks: [command] }] } });
  const toml = '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "true"\n';
  await using machine = await createTestHome({
    "etc/hooks.json": json,
    "home/hooks.json": json,
    "work/.codex/hooks.json": json,
    "work/.codex/config.toml": toml,
  });
  await machine.write("home/config.toml", `${trusts(machine.path("work"))}\n${toml}`);

  const config = await machine.load();
  const { hooks, warnings } = loadHooks(config.hooks, config.hook_states);

  expect(hooks.map(({ source: { kind, path, isManaged } }) => [kind, path, isManaged])).toEqual([
    ["system", machine.path("etc/hooks.json"), true],
    ["user", machine.path("home/hooks.json"), false],
    ["user", machine.path("home/config.toml"), false],
    ["project", machine.path("work/.codex/hooks.json"), false],
    ["project", machine.path("work/.codex/config.toml"), false],
  ]);
  expect(warnings).toEqual([
    `loading hooks from both ${machine.path("home/hooks.json")} and ${machine.path("home/config.toml")}; prefer a single representation for this layer`,
    `loading hooks from both ${machine.path("work/.codex/hooks.json")} and ${machine.path("work/.codex/config.toml")}; prefer a single representation for this layer`,
  ]);
  expect(config.warnings).toEqual([]);
});

test("an untrusted project brings no hooks, and the user is warned", async () => {
  await using machine = await createTestHome({ "work/.codex/hooks.json": "{" });

  const config = await machine.load();

  expect(config.hooks).toEqual([]);
  expect(config.warnings).toEqual([expect.stringContaining("is not a trusted project")]);
});

test("trust is read from the user's own file, and only the user switches hooks off", async () => {
  const hooks = JSON.stringify({ hooks: { PreToolUse: [{ hooks: [command] }] } });
  await using machine = await createTestHome({ "work/.codex/hooks.json": hooks });
  const state = (by: string) =>
    `[hooks.state.${JSON.stringify(`${machine.path("work/.codex/hooks.json")}:pre_tool_use:0:0`)}]\n${by} = ${JSON.stringify(hash)}\n`;
  const trust = trusts(machine.path("work"));

  await machine.write("home/config.toml", `${trust}\n${state("trusted_hash")}`);
  await machine.write("work/.codex/config.toml", "[features]\nhooks = false\n");
  const trusted = await machine.load();
  await machine.write("home/config.toml", trust);
  await machine.write("work/.codex/config.toml", state("trusted_hash"));
  const byProject = await machine.load();
  await machine.write("home/config.toml", `${trust}\n[features]\nhooks = false\n`);
  const off = await machine.load();

  expect(loadHooks(trusted.hooks, trusted.hook_states).hooks).toMatchObject([
    { trustStatus: "trusted" },
  ]);
  expect(() => loadHooks(byProject.hooks, byProject.hook_states)).toThrow(
    "`hooks.state`: trust is read from the config.toml in your own Codex home only",
  );
  expect(off.hooks).toEqual([]);
});

test("a file that cannot be read is an error", async () => {
  await using machine = await createTestHome();
  await symlink("/no/such/file", machine.path("home/hooks.json"));
  await mkdir(machine.path("etc/hooks.json"), { recursive: true });

  const config = await machine.load();

  const { problems } = checkHooks(config.hooks, config.hook_states);
  expect(problems.map(({ message }) => message)).toEqual([
    expect.stringContaining("it is a folder"),
    `${machine.path("home/hooks.json")}: it is a link to nothing`,
  ]);
});

test.each<[string, Record<string, string>, string]>([
  [
    "broken JSON",
    { "home/hooks.json": '{"hooks":\n {"Stop":\n' },
    "home/hooks.json:2: not valid JSON: Unexpected end of JSON input (column 10)",
  ],
  ["no content", { "home/hooks.json": "" }, "home/hooks.json:1: not valid JSON"],
  [
    "a key twice",
    { "home/hooks.json": '{"hooks":{\n"Stop":[],\n"Stop":[]}}' },
    'home/hooks.json:3: not valid JSON: the key "Stop" occurs twice',
  ],
  [
    "a wrong value in JSON",
    {
      "home/hooks.json":
        '{"hooks":{"Stop":[\n{},\n{"hooks":[{"type":"command",\n"command":""}]}]}}',
    },
    "home/hooks.json:4: `hooks.Stop[1].hooks[0].command`",
  ],
  [
    "a wrong value in TOML",
    {
      "home/config.toml":
        '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "true"\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "true"\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = ""\n',
    },
    "home/config.toml:11: `hooks.Stop[1].hooks[1].command`",
  ],
])("the error about %s names the position", async (_, files, message) => {
  await using machine = await createTestHome(files);

  const config = await machine.load();

  expect(() => loadHooks(config.hooks, config.hook_states)).toThrow(machine.path(message));
});

function source(content: unknown): HookSource {
  return {
    kind: "user",
    path: "/h/hooks.json",
    isManaged: false,
    content,
    lineOf: () => undefined,
  };
}

test("an unknown key in the state of a hook is refused, even if the hook is gone", () => {
  const states = { "/gone:stop:0:0": { trusted_hsh: "sha256:0" } };

  expect(() => loadHooks([], states)).toThrow(
    '`hooks.state."/gone:stop:0:0".trusted_hsh`: unknown key (expected trusted_hash, enabled)',
  );
});
