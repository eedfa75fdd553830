import { describe, expect, test } from "vitest";
import { fileShape } from "../../../src/config/check/shape.generated.js";
import { prepareValues } from "../../../src/config/layers/prepare.js";

const base = { folder: "/project/.codex", userHome: "/home/user" };

/** Prepares values and returns them as plain objects. */
function prepare(values: object): unknown {
  const prepared = prepareValues({ ...values }, fileShape, base);
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
