import { mkdir, symlink } from "node:fs/promises";
import { expect, test } from "vitest";
import { createTestHome, type TestHome } from "../support/home.js";

const file = "etc/requirements.toml";

test.each<[string, string, string]>([
  ["an unknown key", "\nallowed_things = true\n", ":2: `allowed_things` is an unknown key"],
  ["text that is not TOML", "allowed_sandbox_modes = [\n", ":1:"],
  [
    "an unknown word",
    'allowed_sandbox_modes = ["read-only", "any"]\n',
    ":1: `allowed_sandbox_modes.1` must be one of",
  ],
  [
    "a value of the wrong type",
    'allowed_approval_policies = "never"\n',
    ":1: `allowed_approval_policies` must be a list",
  ],
  [
    "modes without the strictest",
    'allowed_sandbox_modes = ["workspace-write"]\n',
    ":1: `allowed_sandbox_modes` must include read-only",
  ],
  [
    "no approval policy at all",
    "allowed_approval_policies = []\n",
    "`allowed_approval_policies` must not be empty",
  ],
  [
    "a reviewer that does not exist",
    'allowed_approvals_reviewers = ["auto_review"]\n',
    "`allowed_approvals_reviewers` must include user",
  ],
  ["no login method", "allowed_login_methods = []\n", "`allowed_login_methods` must not be empty"],
  [
    "an unknown feature",
    "[features]\nmind_reading = false\n",
    ":2: `features.mind_reading` is an unknown",
  ],
  [
    "a feature that does not exist here",
    "[features]\nrealtime_conversation = true\n",
    ":2: `features.realtime_conversation` cannot be true",
  ],
  [
    "a feature that is always on",
    "[features]\nsteer = false\n",
    ":2: `features.steer` cannot be false",
  ],
  ["a server without identity", "[mcp_servers.docs]\n", ":1: `mcp_servers.docs` must have"],
  [
    "a server with two identities",
    '[mcp_servers.docs.identity]\ncommand = "a"\nurl = "b"\n',
    "`mcp_servers.docs` must have an `identity` with either `command` or `url`",
  ],
  [
    "an unknown key of a server",
    '[mcp_servers.docs]\nidentity = { command = "a" }\nargs = []\n',
    ":3: `mcp_servers.docs.args` is an unknown key",
  ],
  [
    "an invalid expression",
    '[mcp_servers.docs.identity]\nurl = { match = "regex", expression = "(" }\n',
    "has an invalid regular expression: (",
  ],
  [
    "a rule that allows",
    '[rules]\nprefix_rules = [{ pattern = [{ token = "rm" }], decision = "allow" }]\n',
    ":2: `rules.prefix_rules.0.decision` must be one of prompt, forbidden",
  ],
  [
    "a rule without decision",
    '[[rules.prefix_rules]]\npattern = [{ token = "rm" }]\n',
    ":1: `rules.prefix_rules.0` must have a `decision`",
  ],
  [
    "a rule without pattern",
    '[rules]\nprefix_rules = [{ pattern = [], decision = "prompt" }]\n',
    "must have a `pattern`",
  ],
  [
    "a rule with an ambiguous word",
    '[rules]\nprefix_rules = [{ pattern = [{ token = "a", any_of = ["b"] }], decision = "prompt" }]\n',
    "must have either `token` or `any_of`",
  ],
  [
    "a key that is not enforced",
    'enforce_residency = "us"\n',
    "`enforce_residency` is not enforced",
  ],
  ["a proxy", "[experimental_network]\nenabled = true\n", "`experimental_network` is not enforced"],
  ["a forbidden login shell", "allow_login_shell = false\n", "`allow_login_shell` is not enforced"],
])("requirements with %s prevent every start", async (_, text, message) => {
  await using machine = await createTestHome({ [file]: text });

  await expect(machine.load()).rejects.toThrow(`${machine.path(file)}`);
  await expect(machine.load()).rejects.toThrow(message);
  await expect(machine.load({ ignoreFiles: true })).rejects.toThrow(message);
});

test("all mistakes of the file are reported at once, with the remedy", async () => {
  await using machine = await createTestHome({ [file]: "one = 1\ntwo = 2\n" });

  const reported = await machine.load().catch((error: Error) => error.message);

  expect(reported).toBe(
    `${machine.path(file)}:1: \`one\` is an unknown key\n` +
      `${machine.path(file)}:2: \`two\` is an unknown key\n` +
      "Nothing is started, because requirements that are passed over would forbid nothing: ask the " +
      "administrator to correct the file.",
  );
});

test.each<[string, (machine: TestHome) => Promise<unknown>]>([
  ["a folder", (machine) => mkdir(machine.path(file))],
  ["a link without a target", (machine) => symlink("/nowhere/at/all", machine.path(file))],
])("requirements that are %s cannot be read, so nothing starts", async (_, make) => {
  await using machine = await createTestHome({ "etc/config.toml": "" });
  await make(machine);

  await expect(machine.load()).rejects.toThrow(`Cannot read ${machine.path(file)}`);
});

test.each<[string, Record<string, string>]>([
  ["no files", {}],
  ["an empty file", { [file]: "# nothing yet\n" }],
  ["defaults of the administrator", { "etc/managed_config.toml": 'model = "x"\n' }],
])("there are no requirements with %s", async (_, files) => {
  await using machine = await createTestHome(files);

  expect((await machine.load()).requirements).toBeUndefined();
});

test("restrictions of features that do not exist here hold by themselves", async () => {
  await using machine = await createTestHome({
    [file]:
      "allow_remote_control = false\nallow_appshots = false\ncheck_for_update_on_startup = false\n" +
      "[computer_use]\nallow_locked_computer_use = false\n[features]\nbrowser_use = false\n",
  });

  expect((await machine.load()).constrained).toEqual([]);
});
