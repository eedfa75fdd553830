import { expect, test } from "vitest";
import type { ConfigSources } from "../../../src/config/index.js";
import { listProfiles } from "../../../src/config/permissions/list.js";
import { createTestHome } from "../support/home.js";

const file = "etc/requirements.toml";
const corp = `
default_permissions = "corp"
[allowed_permission_profiles]
corp = true
":read-only" = true
":workspace" = false
[permissions.corp]
extends = ":workspace"
[permissions.corp.filesystem]
":workspace_roots" = { "secret.env" = "deny" }
`;
const secret = {
  place: { type: "special", name: "workspace_roots", subpath: "secret.env" },
  access: "deny",
};

const danger = { mode: "danger-full-access" } as const;
const own = '[permissions.mine]\nextends = ":workspace"\n';

test.each<[string, string, Partial<ConfigSources>, string]>([
  ["a profile of the user", `default_permissions = "mine"\n${own}`, {}, "mine"],
  ["a built-in profile", 'default_permissions = ":workspace"\n', {}, ":workspace"],
  ["a sandbox mode", 'sandbox_mode = "workspace-write"\n', {}, ":workspace"],
  ["a policy of the client", "", { policies: { sandbox_policy: danger } }, ":danger-full-access"],
  [
    "an override",
    "",
    { overrides: { default_permissions: ":danger-full-access" } },
    ":danger-full-access",
  ],
])("%s falls back to the administrator's profile, with a warning", async (_, text, more, from) => {
  await using machine = await createTestHome({ [file]: corp, "home/config.toml": text });

  const config = await machine.load(more);

  expect(config.permissions?.id).toBe("corp");
  expect(config.permissions?.files).toContainEqual(expect.objectContaining(secret));
  expect(config.constrained).toEqual([
    "Configured value for `permission_profile` is disallowed by requirements; falling back from " +
      `\`${from}\` to required value \`corp\`.`,
  ]);
});

test.each([
  ["no profile at all", "", "corp"],
  ["a permitted profile", 'default_permissions = ":read-only"\n', ":read-only"],
  [
    "a profile of the same name",
    'default_permissions = "corp"\n[permissions.corp]\nextends = ":danger-full-access"\n',
    "corp",
  ],
])("with %s there is no warning", async (_, text, id) => {
  await using machine = await createTestHome({ [file]: corp, "home/config.toml": text });

  const { permissions, constrained } = await machine.load();

  expect(permissions?.id).toBe(id);
  expect(permissions?.files.some(({ access }) => access === "deny")).toBe(id === "corp");
  expect(constrained).toEqual([]);
});

test("what a refused profile denies stays denied", async () => {
  await using machine = await createTestHome({
    [file]: corp,
    "home/config.toml": `default_permissions = "mine"\n${own}filesystem = {"/private" = "deny"}\n`,
  });

  const { permissions } = await machine.load();

  const rule = { place: { type: "path", path: "/private" }, access: "deny" };
  expect(permissions?.files).toContainEqual(expect.objectContaining(rule));
});

test("a profile that permits everything but one path counts as full access", async () => {
  await using machine = await createTestHome({
    [file]: 'allowed_sandbox_modes = ["read-only", "workspace-write"]\n',
    "home/config.toml":
      'default_permissions = "mine"\n[permissions.mine]\nextends = ":danger-full-access"\n' +
      'filesystem = {"/private" = "deny"}\n',
  });

  const { permissions, sandbox_policy, constrained } = await machine.load();

  expect(sandbox_policy).toEqual({ mode: "read-only" });
  expect(permissions?.files.map(({ access }) => access)).toEqual(["read", "deny"]);
  expect(constrained).toEqual([
    expect.stringContaining("`DangerFullAccess` is not in the allowed"),
  ]);
});

test.each<[string, string, Partial<ConfigSources>]>([
  ["without settings", "", {}],
  ["with full access", 'sandbox_mode = "danger-full-access"\n', {}],
  ["with a policy of the client", "", { policies: { sandbox_policy: danger } }],
  ["with a profile", `default_permissions = "mine"\n${own}`, {}],
])("paths that the administrator denies are denied %s", async (_, text, more) => {
  await using machine = await createTestHome({
    [file]: '[permissions.filesystem]\ndeny_read = ["~/vault", "/srv/**/*.pem"]\n',
    "home/config.toml": text,
  });

  const { permissions } = await machine.load(more);

  const denied = permissions?.files.filter(({ isFinal }) => isFinal);
  expect(denied?.map(({ place, access }) => ({ place, access }))).toEqual([
    { place: { type: "path", path: machine.path("vault") }, access: "deny" },
    { place: { type: "glob", pattern: "/srv/**/*.pem" }, access: "deny" },
  ]);
});

test.each([
  [
    "an access word",
    '[permissions.a.filesystem]\n"/x" = "forbid"\n',
    '`permissions.a.filesystem."/x"`',
  ],
  [
    "a key of a profile",
    "[permissions.a]\nfilesytem = {}\n",
    "`permissions.a.filesytem` is an unknown",
  ],
  [
    "a special path",
    '[permissions.a.filesystem]\n":rot" = "deny"\n',
    '`permissions.a.filesystem.":rot"`',
  ],
  [
    "an undefined default",
    'default_permissions = "nope"\n',
    "`default_permissions` names an undefined",
  ],
  [
    "a default that is not permitted",
    'default_permissions = ":workspace"\nallowed_permission_profiles = {":read-only" = true}\n',
    "`default_permissions` is `:workspace`",
  ],
  [
    "no permitted profile",
    'allowed_permission_profiles = {":read-only" = false}\n',
    "`allowed_permission_profiles` must permit",
  ],
  ["a relative path", '[permissions.filesystem]\ndeny_read = ["x"]\n', 'not "x"'],
  ["a special path to deny", '[permissions.filesystem]\ndeny_read = [":root"]\n', 'not ":root"'],
  ["a path that is no list", '[permissions.filesystem]\ndeny_read = "/x"\n', "must be a list"],
  [
    "a key beside deny_read",
    "[permissions.filesystem]\ndeny_write = []\n",
    "deny_write` is an unknown",
  ],
  [
    "a reserved name",
    '[permissions.":x"]\nextends = ":workspace"\n',
    'permissions.":x"` has a name',
  ],
])("%s that is wrong prevents everything", async (_, text, message) => {
  await using machine = await createTestHome({ [file]: text });

  const loading = machine.load();

  await expect(loading).rejects.toMatchObject({ code: "config" });
  await expect(loading).rejects.toThrow(machine.path(file));
  await expect(loading).rejects.toThrow(message);
});

test("a list of profiles shows which are permitted", async () => {
  await using machine = await createTestHome({
    [file]: corp,
    "home/config.toml": `default_permissions = "mine"\n${own}`,
  });
  const { layers, requirements } = await machine.load();

  const list = listProfiles({ layers: [...layers] }, requirements, { cwd: "/", userHome: "/" });

  expect(list.filter(({ allowed }) => allowed).map(({ id }) => id)).toEqual([":read-only", "corp"]);
  expect(list.map(({ id }) => id)).toContain("mine");
});

test("a client cannot select what is not permitted", async () => {
  await using machine = await createTestHome({ [file]: corp });
  const { requirements } = await machine.load();

  const mode = "workspace-write";
  expect(() => requirements?.assertAllowed({ sandbox_policy: { mode } })).toThrow(
    "`:workspace` is not in the allowed set [corp, :read-only]",
  );
  const selected = { sandbox_policy: { mode }, active_permission_profile: { id: "corp" } } as const;
  expect(() => requirements?.assertAllowed(selected)).not.toThrow();
  expect(() => requirements?.assertSelected(":workspace", "corp")).toThrow("allowed set");
  expect(() => requirements?.assertSelected("corp", "corp")).not.toThrow();
});
