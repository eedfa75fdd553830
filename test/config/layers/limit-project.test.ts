import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { fileShape } from "../../../src/config/check/shape.generated.js";
import { limitProject } from "../../../src/config/layers/limit-project.js";

const top = realpathSync(mkdtempSync(join(tmpdir(), "quire-limit-")));
mkdirSync(join(top, "project"));
symlinkSync("/etc", join(top, "project/out"));
afterAll(() => rmSync(top, { recursive: true }));

/** Limits values of a project, with the user's own values. */
function limit(values: object, own: object = {}, above: object = {}) {
  const limits = {
    top: join(top, "project"),
    ownValues: { ...own },
    above: { ...above },
  };
  const { values: kept, refused } = limitProject({ ...values }, fileShape, limits);
  return { kept: JSON.parse(JSON.stringify(kept)), refused };
}

describe("a project", () => {
  test.each([
    [{ model: "m" }],
    [{ model_reasoning_effort: "high" }],
    [{ features: { unified_exec: true } }],
    [{ mcp_servers: { a: { command: "c", args: ["x"] } } }],
    [{ sandbox_workspace_write: { network_access: false } }],
    [{ web_search: "disabled" }],
    [{ tui: { notifications: false } }],
    [{ project_doc_max_bytes: 1 }],
  ])("may set %j", (values) => {
    expect(limit(values)).toEqual({ kept: values, refused: [] });
  });

  test.each([
    [{ model_provider: "mine" }, ["model_provider"]],
    [{ openai_base_url: "http://x" }, ["openai_base_url"]],
    [{ notify: ["cmd"] }, ["notify"]],
    [{ profile: "p" }, ["profile"]],
    [{ shell_environment_policy: { inherit: "all" } }, ["shell_environment_policy"]],
    [{ web_search: "live" }, ["web_search"]],
    [{ history: { persistence: "none" } }, ["history"]],
  ])("may not set %j", (values, path) => {
    const { kept, refused } = limit(values);

    expect(kept).toEqual({});
    expect(refused).toEqual([{ path, value: Object.values(values)[0] }]);
  });

  test.each([
    [
      { sandbox_workspace_write: { network_access: true, exclude_slash_tmp: true } },
      { sandbox_workspace_write: { exclude_slash_tmp: true } },
      [["sandbox_workspace_write", "network_access"]],
    ],
    [
      { mcp_servers: { a: { command: "c", env_vars: ["SECRET"] } } },
      { mcp_servers: { a: { command: "c" } } },
      [["mcp_servers", "a", "env_vars"]],
    ],
    [
      { features: { web_search_request: true, unified_exec: true } },
      { features: { unified_exec: true } },
      [["features", "web_search_request"]],
    ],
  ])("keeps the allowed part of %j", (values, kept, paths) => {
    const limited = limit(values);

    expect(limited.kept).toEqual(kept);
    expect(limited.refused.map(({ path }) => path)).toEqual(paths);
  });

  test.each([
    ["sandbox_mode", "read-only", undefined, true],
    ["sandbox_mode", "workspace-write", undefined, true],
    ["sandbox_mode", "danger-full-access", undefined, false],
    ["sandbox_mode", "danger-full-access", "danger-full-access", true],
    ["sandbox_mode", "workspace-write", "read-only", false],
    ["approval_policy", "untrusted", "never", true],
    ["approval_policy", "never", "untrusted", false],
    ["approval_policy", "never", undefined, false],
    ["approval_policy", "on-request", "on-request", true],
  ])("may set %s = %s over %s of the user: %s", (key, value, own, isAllowed) => {
    const { kept, refused } = limit({ [key]: value }, own === undefined ? {} : { [key]: own });

    expect(kept).toEqual(isAllowed ? { [key]: value } : {});
    expect(refused.length).toBe(isAllowed ? 0 : 1);
  });

  test("may not loosen what its parent directory has made stricter", () => {
    const above = { sandbox_mode: "read-only" };
    const { kept, refused } = limit(
      { sandbox_mode: "workspace-write" },
      { sandbox_mode: "danger-full-access" },
      above,
    );

    expect(kept).toEqual({});
    expect(refused).toEqual([
      { path: ["sandbox_mode"], value: "workspace-write", looserThan: "read-only" },
    ]);
  });

  test.each([
    ["prompt.md", true],
    ["deep/prompt.md", true],
    ["../prompt.md", false],
    ["out/passwd", false],
    ["", false],
  ])("may name the file %j as its prompt: %s", (name, isAllowed) => {
    const file = join(top, "project", name);

    expect(limit({ model_instructions_file: file }).refused.length).toBe(isAllowed ? 0 : 1);
  });

  test("may not change a server of the user", () => {
    const { kept, refused } = limit(
      { mcp_servers: { mine: { command: "evil" }, other: { command: "c" } } },
      { mcp_servers: { mine: { command: "good" } } },
    );

    expect(kept).toEqual({ mcp_servers: { other: { command: "c" } } });
    expect(refused).toEqual([{ path: ["mcp_servers", "mine"], value: undefined }]);
  });

  test("loses unknown keys and keys without effect silently: they are reported elsewhere", () => {
    expect(limit({ modle: "x", memories: { a: 1 } })).toEqual({ kept: {}, refused: [] });
  });
});
