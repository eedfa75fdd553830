import { expect, test } from "vitest";
import { loadHooks } from "../../../src/hooks/index.js";
import { createTestHome, type TestHome } from "../support/home.js";

const file = "etc/requirements.toml";
const managed =
  '[hooks]\nmanaged_dir = "/opt/hooks"\n[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\n' +
  'type = "command"\ncommand = "company"\n';
const users = { hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "mine" }] }] } };

async function hooksOf(machine: TestHome) {
  const { hooks, hook_states } = await machine.load();
  return loadHooks(hooks, hook_states).hooks.map(({ handler, ...hook }) => ({
    ...hook,
    command: "command" in handler ? handler.command : undefined,
  }));
}

test("hooks of the administrator come first and need no trust", async () => {
  await using machine = await createTestHome({
    [file]: managed,
    "home/hooks.json": JSON.stringify(users),
  });

  expect(await hooksOf(machine)).toMatchObject([
    {
      key: "/opt/hooks:pre_tool_use:0:0",
      command: "company",
      trustStatus: "managed",
      source: { kind: "system" },
    },
    { command: "mine", trustStatus: "untrusted" },
  ]);
});

test.each([
  ["the feature", "[features]\nhooks = false\n"],
  ["the state", '[hooks.state."/opt/hooks:pre_tool_use:0:0"]\nenabled = false\n'],
])("a user cannot turn them off by %s", async (_, text) => {
  await using machine = await createTestHome({ [file]: managed, "home/config.toml": text });

  expect(await hooksOf(machine)).toMatchObject([{ command: "company", isEnabled: true }]);
});

test("a fixed feature keeps the hooks of the user on", async () => {
  await using machine = await createTestHome({
    [file]: "[features]\nhooks = true\n",
    "home/hooks.json": JSON.stringify(users),
    "home/config.toml": "[features]\nhooks = false\n",
  });

  expect(await hooksOf(machine)).toMatchObject([{ command: "mine" }]);
});

test("hooks of others are dropped if only managed ones may run", async () => {
  await using machine = await createTestHome({
    [file]: `allow_managed_hooks_only = true\n${managed}`,
    "home/hooks.json": JSON.stringify(users),
  });

  expect(await hooksOf(machine)).toMatchObject([{ command: "company" }]);
});

test("failures of all hooks deny if the administrator requires it", async () => {
  await using machine = await createTestHome({
    [file]: `on_failure = "deny"\n${managed}`,
    "home/hooks.json": JSON.stringify(users),
  });

  const hooks = await hooksOf(machine);

  expect(hooks.map(({ onFailure }) => onFailure)).toEqual(["deny", "deny"]);
});

test.each([
  ["an unknown event", "[[hooks.Foo]]\n", "`hooks.Foo`: unknown event"],
  ["a matcher", '[[hooks.PreToolUse]]\nmatcher = "("\n', "`hooks.PreToolUse[0].matcher`"],
])("%s is reported with the file and the line", async (_, text, message) => {
  await using machine = await createTestHome({ [file]: `[hooks]\nmanaged_dir = "/opt"\n${text}` });

  await expect(hooksOf(machine)).rejects.toThrow(`${machine.path(file)}:`);
  await expect(hooksOf(machine)).rejects.toThrow(message);
});

test("a folder that is no path is refused", async () => {
  await using machine = await createTestHome({ [file]: "[hooks]\nmanaged_dir = 3\n" });

  await expect(machine.load()).rejects.toThrow("`hooks.managed_dir` must be the path of a folder");
});
