import { describe, expect, test } from "vitest";
import { configBehaviors } from "../../../src/config/index.js";
import { createTestHome, trusts } from "../support/home.js";

describe("policies", () => {
  test.each([
    [undefined, "on-request", "read-only"],
    ["trusted", "on-request", "workspace-write"],
    ["untrusted", "untrusted", "workspace-write"],
  ])("of a project with trust level %s are %s and %s", async (level, approval, mode) => {
    await using machine = await createTestHome();
    const text = level === undefined ? "" : trusts(machine.path("work"), level);
    await machine.write("home/config.toml", text);
    const config = await machine.load();

    expect(config).toMatchObject({
      approval_policy: approval,
      sandbox_policy: { mode },
      policies_are_defaults: true,
    });
  });

  test("of 2025 do not depend on trust", async () => {
    await using machine = await createTestHome();
    await machine.write("home/config.toml", trusts(machine.path("work")));
    const config = await machine.load({ behavior: configBehaviors["2025-09"] });

    expect(config.sandbox_policy).toEqual({ mode: "read-only" });
  });

  test.each([
    ['approval_policy = "never"', false],
    ['sandbox_mode = "read-only"', false],
    ['model = "m"', true],
  ])("with %j are defaults: %s", async (text, areDefaults) => {
    await using machine = await createTestHome({ "home/config.toml": text });

    expect((await machine.load()).policies_are_defaults).toBe(areDefaults);
  });

  test("of workspace-write add the writable directories of the session once", async () => {
    await using machine = await createTestHome({
      "home/config.toml":
        'sandbox_mode = "workspace-write"\n[sandbox_workspace_write]\nwritable_roots = ["/a"]\nnetwork_access = true\n',
    });
    const { sandbox_policy } = await machine.load({ writableRoots: ["/b", "/a"] });

    expect(sandbox_policy).toEqual({
      mode: "workspace-write",
      writable_roots: ["/a", "/b"],
      network_access: true,
      exclude_tmpdir_env_var: false,
      exclude_slash_tmp: false,
    });
  });
});

describe("the environment of commands", () => {
  test.each([
    ["", { inherit: "all", ignore_default_excludes: false, exclude: [], set: {} }],
    ['[shell_environment_policy]\ninherit = "core"', { inherit: "core", exclude: [] }],
    ['[shell_environment_policy]\nset = { A = "b" }', { inherit: "all", set: { A: "b" } }],
    [
      "[shell_environment_policy]\nignore_default_excludes = true",
      { ignore_default_excludes: true },
    ],
  ])("with %j is %j", async (text, policy) => {
    await using machine = await createTestHome({ "home/config.toml": text });

    expect((await machine.load()).shell_environment_policy).toMatchObject(policy);
  });
});
