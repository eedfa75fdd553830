import { describe, expect, test } from "vitest";
import { fileShape } from "../../../src/config/check/shape.generated.js";
import { prepareValues, sandboxOfProfile } from "../../../src/config/layers/prepare.js";

const base = { folder: "/project/.codex", userHome: "/home/user" };

/** Prepares values and returns them as plain objects. */
function prepare(values: object, permissions?: unknown): unknown {
  const prepared = prepareValues({ ...values }, fileShape, base, permissions);
  return JSON.parse(JSON.stringify(prepared));
}

describe("paths of a layer", () => {
  test.each([
    [{ model_instructions_file: "a.md" }, { model_instructions_file: "/project/.codex/a.md" }],
    [{ model_instructions_file: "../a.md" }, { model_instructions_file: "/project/a.md" }],
    [{ model_instructions_file: "/a.md" }, { model_instructions_file: "/a.md" }],
    [{ model_instructions_file: "~/a.md" }, { model_instructions_file: "/home/user/a.md" }],
    [{ log_dir: "~" }, { log_dir: "/home/user" }],
    [{ log_dir: "~other" }, { log_dir: "/project/.codex/~other" }],
    [
      { sandbox_workspace_write: { writable_roots: ["x", "~/y", "/z"] } },
      {
        sandbox_workspace_write: {
          writable_roots: ["/project/.codex/x", "/home/user/y", "/z"],
        },
      },
    ],
    [
      { skills: { config: [{ path: "s/SKILL.md" }, { name: "n" }] } },
      { skills: { config: [{ path: "/project/.codex/s/SKILL.md" }, { name: "n" }] } },
    ],
    [
      { profiles: { p: { model_instructions_file: "a.md" } } },
      { profiles: { p: { model_instructions_file: "/project/.codex/a.md" } } },
    ],
    [{ model: "a/b" }, { model: "a/b" }],
  ])("%j become absolute", (values, prepared) => {
    expect(prepare(values)).toEqual(prepared);
  });
});

describe("older names", () => {
  test.each([
    [{ experimental_instructions_file: "/a" }, { model_instructions_file: "/a" }],
    [{ experimental_use_unified_exec_tool: true }, { features: { unified_exec: true } }],
    [{ features: { web_search: true } }, { features: { web_search_request: true } }],
    [{ tools: { web_search_request: false } }, { tools: { web_search: false } }],
    [
      { experimental_use_unified_exec_tool: true, features: { unified_exec: false } },
      { features: { unified_exec: false } },
    ],
  ])("of %j are replaced, and the newer name wins", (values, prepared) => {
    expect(prepare(values)).toEqual(prepared);
  });

  test("are replaced without a change of the values that were read", () => {
    const values = { features: { web_search: true } };
    prepare(values);

    expect(values).toEqual({ features: { web_search: true } });
  });
});

describe("a permission profile", () => {
  const write = (extra: object) => ({
    filesystem: { ":root": "read", ":workspace_roots": "write", ...extra },
  });
  const workspace = (tmpdir: boolean, slashTmp: boolean) => ({
    sandbox_mode: "workspace-write",
    sandbox_workspace_write: {
      writable_roots: [],
      network_access: false,
      exclude_tmpdir_env_var: !tmpdir,
      exclude_slash_tmp: !slashTmp,
    },
  });

  test.each([
    [":read-only", { sandbox_mode: "read-only" }],
    [":workspace", { sandbox_mode: "workspace-write" }],
    [":danger-full-access", { sandbox_mode: "danger-full-access" }],
    ["missing", undefined],
    ["toString", undefined],
    [7, undefined],
    [undefined, undefined],
  ])("%j that is built in is a sandbox mode", (name, settings) => {
    expect(sandboxOfProfile(name, {})).toEqual(settings);
  });

  test.each([
    [{ filesystem: { ":root": "read" } }, { sandbox_mode: "read-only" }],
    [write({}), workspace(false, false)],
    [write({ ":tmpdir": "write" }), workspace(true, false)],
    [write({ ":tmpdir": "write", "/tmp": "write" }), workspace(true, true)],
    [write({ ":slash_tmp": "write" }), workspace(false, true)],
    [{ filesystem: { ":root": "write" } }, workspace(true, true)],
    [{ ...write({}), description: "mine" }, workspace(false, false)],
    [{ ...write({}), network: { enabled: false } }, workspace(false, false)],
    [write({ "/secret": "read" }), { sandbox_mode: "read-only" }],
  ])("%j has equivalent settings", (profile, settings) => {
    expect(sandboxOfProfile("p", { p: profile })).toEqual(settings);
  });

  test.each([
    [{ ...write({}), network: { enabled: true } }],
    [{ ...write({}), network: { allowed_domains: ["x"] } }],
    [{ ...write({}), extends: ":workspace" }],
    [write({ "/secret": "none" })],
    [{ filesystem: { ":workspace_roots": "write" } }],
    [{ filesystem: "all" }],
    [{}],
    ["text"],
  ])("%j has none", (profile) => {
    expect(sandboxOfProfile("p", { p: profile })).toBeUndefined();
  });

  test("overrides the sandbox mode of the same file", () => {
    const values = { default_permissions: ":read-only", sandbox_mode: "danger-full-access" };

    expect(prepare(values)).toEqual({
      default_permissions: ":read-only",
      sandbox_mode: "read-only",
    });
  });
});
