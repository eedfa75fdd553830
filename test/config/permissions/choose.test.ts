import { describe, expect, test } from "vitest";
import type { FileRule } from "../../../src/protocol/permission-rules.js";
import { createTestHome, type TestHome, trusts } from "../support/home.js";

const tight = `
[permissions.tight]
extends = ":workspace"
description = "no secrets"
[permissions.tight.filesystem]
":workspace_roots" = { "secret.env" = "deny", "**/*.key" = "deny" }
`;

const selected = `default_permissions = "tight"\n${tight}`;

/** Writes rules in short: `deny :workspace_roots/secret.env`. */
const short = ({ place, access }: FileRule) => {
  if (place.type === "glob") return `${access} ${place.pattern}`;
  if (place.type === "path") return `${access} ${place.path}`;
  return `${access} :${[place.name, ...(place.subpath ? [place.subpath] : [])].join("/")}`;
};

async function load(user: string, files: Record<string, string> = {}) {
  const machine = await createTestHome({ "home/config.toml": user, ...files });
  return { machine, ...(await shown(machine)) };
}

async function shown(machine: TestHome, more?: Parameters<TestHome["load"]>[0]) {
  const { permissions, sandbox_policy, warnings } = await machine.load(more);
  return { rules: permissions?.files.map(short), permissions, policy: sandbox_policy, warnings };
}

const workspace = {
  mode: "workspace-write",
  writable_roots: [],
  network_access: false,
  exclude_tmpdir_env_var: false,
  exclude_slash_tmp: false,
};

describe("a profile", () => {
  test("has the rules of its parent and its own", async () => {
    const { machine, permissions, rules, policy } = await load(selected);
    await using _ = machine;

    expect(rules).toEqual([
      "read :root",
      "write :slash_tmp",
      "write :tmpdir",
      "deny **/*.key",
      "write :workspace_roots",
      "deny :workspace_roots/secret.env",
    ]);
    expect(permissions).toMatchObject({
      id: "tight",
      extends: ":workspace",
      base: "restricted",
      network: { enabled: false },
      workspaceRoots: [],
    });
    expect(permissions?.files.at(-1)?.origin).toBe(
      `permissions.tight.filesystem.":workspace_roots"."secret.env" in ${machine.path("home/config.toml")}`,
    );
    expect(policy).toEqual(workspace);
  });

  test.each<[string, string, string[], object]>([
    [
      "gives back what its parent denied",
      'extends = "tight"\n[permissions.x.filesystem]\n":workspace_roots" = { "secret.env" = "read" }',
      [
        "read :root",
        "write :slash_tmp",
        "write :tmpdir",
        "deny **/*.key",
        "write :workspace_roots",
        "read :workspace_roots/secret.env",
      ],
      workspace,
    ],
    [
      "replaces the parent's table by one access",
      'extends = "tight"\n[permissions.x.filesystem]\n":project_roots" = "read"',
      ["read :root", "write :slash_tmp", "write :tmpdir", "read :workspace_roots"],
      { mode: "read-only" },
    ],
    [
      "denies in spite of full access",
      'extends = ":danger-full-access"\n[permissions.x.filesystem]\n"/srv" = "none"',
      ["deny /srv"],
      { ...workspace, writable_roots: ["/"], network_access: true, exclude_tmpdir_env_var: true },
    ],
    [
      "makes a part of full access read-only",
      'extends = ":danger-full-access"\n[permissions.x.filesystem]\n"/srv" = "read"',
      ["read /srv", "write :root"],
      { ...workspace, writable_roots: ["/"], network_access: true, exclude_tmpdir_env_var: true },
    ],
    [
      "names paths in tables and by globs",
      '[permissions.x.filesystem]\nglob_scan_max_depth = 4\n"/srv" = { "." = "read", "a/**" = "write", "b/*.key" = "deny" }',
      ["deny /srv/b/*.key", "read /srv", "write /srv/a"],
      { mode: "read-only" },
    ],
    [
      "denies a path with brackets as a path too",
      'extends = ":read-only"\n[permissions.x.filesystem]\n":workspace_roots" = { "app/[id]" = "deny" }',
      ["read :root", "deny app/[id]", "deny :workspace_roots/app/[id]"],
      { mode: "read-only" },
    ],
  ])("%s", async (_, profile, expected, expectedPolicy) => {
    const text = `default_permissions = "x"\n${tight}[permissions.x]\n${profile}\n`;
    const { machine, rules, policy } = await load(text);
    await using __ = machine;

    expect(rules).toEqual(expected);
    expect(policy).toEqual(expectedPolicy);
  });

  test("has workspace roots and domains, also of its parent", async () => {
    const { machine, permissions, policy } = await load(`default_permissions = "b"
      [permissions.a]
      extends = ":workspace"
      workspace_roots = { "~/one" = true, "/two" = true }
      network = { enabled = true, domains = { "Example.org." = "allow" } }
      [permissions.b]
      extends = "a"
      workspace_roots = { "/two" = false }
      network = { domains = { "**.bad.example.org" = "deny" } }
    `);
    await using _ = machine;

    expect(permissions).toMatchObject({
      workspaceRoots: [machine.path("one")],
      network: {
        enabled: true,
        domains: { "example.org": "allow", "**.bad.example.org": "deny" },
      },
    });
    expect(policy).toMatchObject({ network_access: true, writable_roots: [machine.path("one")] });
  });

  test.each([
    [":read-only", { mode: "read-only" }],
    [":workspace", workspace],
    [":danger-full-access", { mode: "danger-full-access" }],
  ])("%s is built in and ignores the details of a sandbox mode", async (name, expected) => {
    const details = "[sandbox_workspace_write]\nnetwork_access = true\n";
    const { machine, permissions, policy } = await load(
      `default_permissions = "${name}"\nsandbox_mode = "danger-full-access"\n${details}`,
    );
    await using _ = machine;

    expect(permissions?.id).toBe(name);
    expect(policy).toEqual(expected);
  });

  test("is absent if only sandbox modes are set", async () => {
    const { machine, permissions } = await load('sandbox_mode = "workspace-write"\n');
    await using _ = machine;

    expect(permissions).toBeUndefined();
  });
});

describe("a profile is refused", () => {
  const profile = (text: string) => `default_permissions = "x"\n[permissions.x]\n${text}\n`;
  const files = (text: string) => profile(`[permissions.x.filesystem]\n${text}`);

  test.each([
    ["with an unknown key", profile("sandbox = true"), "unknown key `permissions.x.sandbox`"],
    [
      "with an unknown network key",
      profile("network = { mode = 1 }"),
      "`permissions.x.network.mode`",
    ],
    [
      "with an unknown access",
      files('":root" = "execute"'),
      '`permissions.x.filesystem.":root"` must be',
    ],
    [
      "with an unknown access in a table",
      files('":workspace_roots" = { a = "execute" }'),
      '`permissions.x.filesystem.":workspace_roots".a` must be one of read, write, deny',
    ],
    [
      "with an unknown special path",
      files('":home" = "deny"'),
      '":home"` must name a special path',
    ],
    ["with a relative path", files('"a/b" = "read"'), '"a/b"` must name a path that is absolute'],
    [
      "with a path that leads upwards",
      files('"/srv/../etc" = "deny"'),
      "must name a path without `..`",
    ],
    [
      "with a path that leaves its root",
      files('":workspace_roots" = { "../up" = "write" }'),
      'permissions.x.filesystem.":workspace_roots"."../up"` must name a path below its place',
    ],
    ["with a path that cannot exist", files('"/a\\u0000b" = "deny"'), "a path without NUL"],
    [
      "with a path below that cannot exist",
      files('":workspace_roots" = { "a\\u0000b" = "deny" }'),
      "a path without NUL",
    ],
    [
      "with paths below a temporary folder",
      files('":tmpdir" = { a = "deny" }'),
      "cannot have paths below",
    ],
    ["with a readable glob", files('"/srv/*.md" = "read"'), "a glob cannot have `read` access"],
    [
      "with a place that is named twice",
      files('"/a" = "deny"\n"/a/" = "read"'),
      "another key names too",
    ],
    ["with a depth of 0", files("glob_scan_max_depth = 0"), "glob_scan_max_depth` must be"],
    [
      "with a bad domain",
      profile('network = { domains = { "a b" = "deny" } }'),
      '"a b"` must be a domain',
    ],
    [
      "that denies all domains",
      profile('network = { domains = { "*" = "deny" } }'),
      "must be a domain",
    ],
    [
      "with an unknown parent",
      profile('extends = "y"'),
      "`permissions.x.extends` names an undefined profile, `y`",
    ],
    [
      "with an unknown built-in parent",
      profile('extends = ":y"'),
      "names an unknown built-in profile, `:y`",
    ],
    [
      "that extends itself",
      `${profile('extends = "y"')}[permissions.y]\nextends = "x"\n`,
      "extends itself: x -> y -> x",
    ],
    [
      "with a reserved name",
      'default_permissions = ":mine"\n[permissions.":mine"]\n',
      '`permissions.":mine"` has a name that starts with `:`',
    ],
    [
      "that is not defined",
      'default_permissions = "x"\n',
      "`default_permissions` names an undefined profile, `x`",
    ],
    ["if none is selected", tight, "`default_permissions` selects none"],
    [
      "with a mistake, even if another is selected",
      `${selected}[permissions.x]\nextends = "nope"\n`,
      "`permissions.x.extends` names an undefined profile",
    ],
  ])("%s", async (_, text, message) => {
    await using machine = await createTestHome({ "home/config.toml": text });

    await expect(machine.load()).rejects.toThrow(message);
  });

  test("with the file and line of its key", async () => {
    await using machine = await createTestHome({ "home/config.toml": files('"a/b" = "read"') });

    await expect(machine.load()).rejects.toMatchObject({
      code: "config",
      message: expect.stringContaining(`${machine.path("home/config.toml")}:4: `),
      data: { line: 4, source: machine.path("home/config.toml") },
    });
  });
});

describe("a sandbox mode", () => {
  test("of the command line does not lift what the profile denies", async () => {
    await using machine = await createTestHome({ "home/config.toml": selected });

    const all = await shown(machine, { overrides: { sandbox_mode: "danger-full-access" } });
    const none = await shown(machine, { overrides: { sandbox_mode: "read-only" } });

    expect(all.permissions).toMatchObject({ base: "unrestricted" });
    expect(all.permissions?.id).toBeUndefined();
    expect(all.rules).toEqual(["deny **/*.key", "deny :workspace_roots/secret.env"]);
    expect(all.policy).toEqual({ mode: "danger-full-access" });
    expect(all.warnings).toEqual([
      '`sandbox_mode` = "danger-full-access" overrides the permission profile `tight`, but what it ' +
        "denies stays denied; to lift that, select another profile",
    ]);
    expect(none.rules).toEqual(["read :root", "deny **/*.key", "deny :workspace_roots/secret.env"]);
  });

  test("of the user leaves profiles unused", async () => {
    const { machine, permissions } = await load(`sandbox_mode = "read-only"\n${tight}`);
    await using _ = machine;

    expect(permissions).toBeUndefined();
  });
});

describe("a trusted project", () => {
  async function withProject(user: string, project: string) {
    const machine = await createTestHome({ "work/.codex/config.toml": project });
    await machine.write("home/config.toml", `${user}\n${trusts(machine.path("work"))}`);
    return { machine, ...(await shown(machine)) };
  }

  const wide = `default_permissions = "wide"
    [permissions.wide]
    extends = ":danger-full-access"
    [permissions.wide.filesystem]
    ":workspace_roots" = { "vault" = "deny" }
  `;

  test("cannot widen the user's profile, but denies more", async () => {
    const { machine, permissions, rules, policy } = await withProject(selected, wide);
    await using _ = machine;

    expect(rules?.toSorted()).toEqual([
      "deny **/*.key",
      "deny :workspace_roots/secret.env",
      "deny :workspace_roots/vault",
      "read :root",
      "write :slash_tmp",
      "write :tmpdir",
      "write :workspace_roots",
    ]);
    expect(permissions).toMatchObject({ id: "tight", network: { enabled: false } });
    expect(policy).toEqual(workspace);
  });

  test("cannot widen the user's sandbox mode", async () => {
    const { machine, permissions, policy } = await withProject('sandbox_mode = "read-only"', wide);
    await using _ = machine;

    expect(permissions?.id).toBe("wide");
    expect(permissions?.files.map(short)).toEqual(["read :root", "deny :workspace_roots/vault"]);
    expect(policy).toEqual({ mode: "read-only" });
  });

  test("restricts the user's profile by its own places and a sandbox mode", async () => {
    const narrow = `default_permissions = "narrow"
      [permissions.narrow.filesystem]
      ":minimal" = "read"
      ":workspace_roots" = "read"
    `;
    const places = await withProject(selected, narrow);
    const mode = await withProject(selected, 'sandbox_mode = "read-only"');
    await using _ = places.machine;
    await using __ = mode.machine;

    expect(places.rules?.toSorted()).toEqual([
      "deny **/*.key",
      "deny :workspace_roots/secret.env",
      "read :minimal",
      "read :workspace_roots",
    ]);
    expect(mode.rules).not.toContain("write :workspace_roots");
    expect(mode.rules).toContain("deny :workspace_roots/secret.env");
  });

  test("cannot change a profile of the user by its name", async () => {
    const { machine, rules } = await withProject(
      selected,
      '[permissions.tight.filesystem]\n":workspace_roots" = { "secret.env" = "write" }\n',
    );
    await using _ = machine;

    expect(rules).toContain("deny :workspace_roots/secret.env");
  });

  test("is refused with a mistake in a profile", async () => {
    await expect(withProject("", 'default_permissions = "x"\n')).rejects.toThrow(
      "names an undefined profile",
    );
  });
});
