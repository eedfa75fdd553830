import { expect, test } from "vitest";
import { assertEnforceable } from "../../../src/config/index.js";
import { createTestHome, trusts } from "../support/home.js";

test.each<[string, Record<string, string>, string]>([
  [
    "a profile",
    { "home/config.toml": 'default_permissions = "tight"\n[permissions.tight]\n' },
    "home/config.toml:1: `default_permissions`",
  ],
  [
    "profiles of which none is chosen",
    { "home/config.toml": '[permissions.tight]\nextends = ":read-only"\n' },
    "home/config.toml:1: `permissions`",
  ],
  [
    "requirements",
    { "etc/requirements.toml": '\nallowed_sandbox_modes = ["read-only"]\n' },
    "etc/requirements.toml:2: `allowed_sandbox_modes`",
  ],
  [
    "requirements that cannot be read",
    { "etc/requirements.toml": "= 1" },
    "etc/requirements.toml: `requirements`: it cannot be read",
  ],
  [
    "a policy of the administrator",
    { "etc/managed_config.toml": 'sandbox_mode = "read-only"\n' },
    "etc/managed_config.toml:1: `sandbox_mode`",
  ],
])("[clients section 5] %s cannot be enforced, so nothing starts", async (_, files, message) => {
  await using machine = await createTestHome(files);

  const config = await machine.load();

  expect(() => assertEnforceable(config)).toThrow(machine.path(message));
});

test.each<[string, Record<string, string>]>([
  ["empty tables", { "home/config.toml": "[permissions]\n" }],
  ["empty requirements", { "etc/requirements.toml": "# nothing yet\n[rules]\n" }],
  ["defaults of the administrator", { "etc/managed_config.toml": 'model = "x"\n' }],
])("[clients section 5] a file with %s forbids nothing", async (_, files) => {
  await using machine = await createTestHome(files);

  expect((await machine.load()).unenforced).toEqual([]);
});

test("[clients section 5] a built-in profile is a sandbox mode", async () => {
  await using machine = await createTestHome({
    "home/config.toml": 'default_permissions = ":workspace"\nsandbox_mode = "read-only"\n',
  });

  const config = await machine.load();
  const strict = await machine.load({ overrides: { default_permissions: ":read-only" } });
  const loose = await machine.load({ overrides: { sandbox_mode: "danger-full-access" } });

  expect(config).toMatchObject({ sandbox_policy: { mode: "workspace-write" }, unenforced: [] });
  expect(strict.sandbox_policy).toEqual({ mode: "read-only" });
  expect(loose.sandbox_policy).toEqual({ mode: "danger-full-access" });
});

const profileOf = (files: string, more = "") =>
  `default_permissions = "mine"\n[permissions.mine.filesystem]\n${files}\n${more}`;
const onlyWorkspace = {
  mode: "workspace-write",
  writable_roots: [],
  network_access: false,
  exclude_tmpdir_env_var: true,
  exclude_slash_tmp: true,
};

test.each<[string, string, object]>([
  ["reads all and writes a file", '":root" = "read"\n"/tmp/a" = "write"', { mode: "read-only" }],
  ["writes the workspace", '":root" = "read"\n":workspace_roots" = "write"', onlyWorkspace],
  [
    "writes temporary files too",
    '":root" = "read"\n":workspace_roots" = "write"\n":tmpdir" = "write"\n":slash_tmp" = "write"',
    { ...onlyWorkspace, exclude_tmpdir_env_var: false, exclude_slash_tmp: false },
  ],
  [
    "guards a folder of the workspace",
    '":root" = "read"\n":workspace_roots" = "write"\n"/srv/kept" = "read"',
    { mode: "read-only" },
  ],
])(
  "[clients permissions] a profile that %s is the sandbox that allows no more",
  async (_, files, policy) => {
    const loose = "[sandbox_workspace_write]\nnetwork_access = true\nwritable_roots = ['/']\n";
    await using machine = await createTestHome({ "home/config.toml": profileOf(files, loose) });

    const config = await machine.load();

    expect(config).toMatchObject({ unenforced: [] });
    expect(config.sandbox_policy).toEqual(policy);
  },
);

test.each([
  ["hides a file", profileOf('":root" = "read"\n"/secret" = "deny"')],
  [
    "hides files by a table",
    profileOf('":root" = "read"\n":workspace_roots" = { "*.env" = "deny" }'),
  ],
  ["does not read all", profileOf('":workspace_roots" = "write"')],
  ["has a network", profileOf('":root" = "read"', "[permissions.mine.network]\nenabled = true\n")],
  ["builds on another", profileOf('":root" = "read"', '[permissions.mine]\nextends = "x"\n')],
  ["is not there", 'default_permissions = "mine"\n'],
])("[clients permissions] a profile that %s is refused", async (_, text) => {
  await using machine = await createTestHome({ "home/config.toml": text });

  const config = await machine.load();

  expect(config.unenforced).toMatchObject([{ key: "default_permissions" }]);
});

test("[clients permissions] a trusted project does not loosen the user's profile", async () => {
  await using machine = await createTestHome({
    "work/.codex/config.toml": 'sandbox_mode = "workspace-write"\n',
  });
  for (const profile of [profileOf('":root" = "read"'), 'default_permissions = ":read-only"\n']) {
    await machine.write("home/config.toml", profile + trusts(machine.path("work")));

    expect((await machine.load()).sandbox_policy).toEqual({ mode: "read-only" });
  }
});
